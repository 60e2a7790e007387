// JAX's approx_max_k: a custom call with settings and a comparator by name. It is answered exactly. Along a split row each
// device chooses among its own, then all choose among the chosen; of 66 elements on four devices the last has padding.
module {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func @top_k_gt_f32_comparator(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }
  func.func public @main(%x: tensor<3x66xf32>) -> (tensor<3x4xf32>, tensor<3x4xi32>) {
    %a = sdy.sharding_constraint %x <@mesh, [{"y"}, {"x"}]> : tensor<3x66xf32>
    %0 = stablehlo.iota dim = 1 : tensor<3x66xi32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1:2 = stablehlo.custom_call @ApproxTopK(%a, %0, %cst, %c) {backend_config = "", called_computations = [@top_k_gt_f32_comparator], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 4 : i64}} : (tensor<3x66xf32>, tensor<3x66xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x4xf32>, tensor<3x4xi32>)
    return %1#0, %1#1 : tensor<3x4xf32>, tensor<3x4xi32>
  }
}
// RUN: compile %s
//| HloModule main_spmd, entry_computation_layout={(f32[3,33]{1,0})->(f32[3,4]{1,0}, s32[3,4]{1,0})}, num_partitions=8
//|
//| top_k_gt_f32_comparator_padding_last {
//|   %arg0 = f32[] parameter(0)
//|   %arg1 = f32[] parameter(1)
//|   %arg2 = s32[] parameter(2)
//|   %arg3 = s32[] parameter(3)
//|   %padding = pred[] parameter(4)
//|   %padding_1 = pred[] parameter(5)
//|   %v0 = pred[] compare(%arg0, %arg1), direction=GT
//|   %v7 = pred[] or(%v0, %padding_1)
//|   %v8 = pred[] not(%padding)
//|   ROOT %v9 = pred[] and(%v7, %v8)
//| }
//|
//| top_k_gt_f32_comparator {
//|   %arg0 = f32[] parameter(0)
//|   %arg1 = f32[] parameter(1)
//|   %arg2 = s32[] parameter(2)
//|   %arg3 = s32[] parameter(3)
//|   ROOT %v0 = pred[] compare(%arg0, %arg1), direction=GT
//| }
//|
//| ENTRY main_spmd {
//|   %x = f32[3,33]{1,0} parameter(0), sharding={devices=[1,2,4]<=[8] last_tile_dim_replicate}
//|   %constant = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %pad = f32[4,33]{1,0} pad(%x, %constant), padding=0_1x0_0, frontend_attributes={is_spmd_generated="true"}
//|   %partition_id = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert = s32[] convert(%partition_id), frontend_attributes={is_spmd_generated="true"}
//|   %constant_1 = s32[] constant(2), frontend_attributes={is_spmd_generated="true"}
//|   %remainder = s32[] remainder(%convert, %constant_1), frontend_attributes={is_spmd_generated="true"}
//|   %constant_2 = s32[] constant(2), frontend_attributes={is_spmd_generated="true"}
//|   %multiply = s32[] multiply(%remainder, %constant_2), frontend_attributes={is_spmd_generated="true"}
//|   %constant_3 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %x_1 = f32[2,33]{1,0} dynamic-slice(%pad, %multiply, %constant_3), dynamic_slice_sizes={2,33}, frontend_attributes={is_spmd_generated="true"}
//|   %x_2 = f32[2,66]{1,0} all-gather(%x_1), channel_id=1, replica_groups={{0,4},{1,5},{2,6},{3,7}}, dimensions={1}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %constant_4 = f32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %pad_1 = f32[2,68]{1,0} pad(%x_2, %constant_4), padding=0_0x0_2, frontend_attributes={is_spmd_generated="true"}
//|   %partition_id_1 = u32[] partition-id(), frontend_attributes={is_spmd_generated="true"}
//|   %convert_1 = s32[] convert(%partition_id_1), frontend_attributes={is_spmd_generated="true"}
//|   %constant_5 = s32[] constant(2), frontend_attributes={is_spmd_generated="true"}
//|   %divide = s32[] divide(%convert_1, %constant_5), frontend_attributes={is_spmd_generated="true"}
//|   %constant_6 = s32[] constant(17), frontend_attributes={is_spmd_generated="true"}
//|   %multiply_1 = s32[] multiply(%divide, %constant_6), frontend_attributes={is_spmd_generated="true"}
//|   %constant_7 = s32[] constant(0), frontend_attributes={is_spmd_generated="true"}
//|   %x_3 = f32[2,17]{1,0} dynamic-slice(%pad_1, %constant_7, %multiply_1), dynamic_slice_sizes={2,17}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_8 = s32[] constant(17), frontend_attributes={is_spmd_generated="true"}
//|   %multiply_2 = s32[] multiply(%divide, %constant_8), frontend_attributes={is_spmd_generated="true"}
//|   %iota = s32[2,17]{1,0} iota(), iota_dimension=1, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim = s32[2,17]{1,0} broadcast(%multiply_2), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %v0 = s32[2,17]{1,0} add(%iota, %broadcast_in_dim)
//|   %cst = f32[] constant(-inf)
//|   %c = s32[] constant(-1)
//|   %constant_9 = pred[] constant(false), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_1 = pred[2,17]{1,0} broadcast(%constant_9), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %constant_10 = s32[] constant(17), frontend_attributes={is_spmd_generated="true"}
//|   %multiply_3 = s32[] multiply(%divide, %constant_10), frontend_attributes={is_spmd_generated="true"}
//|   %constant_11 = s32[] constant(66), frontend_attributes={is_spmd_generated="true"}
//|   %subtract = s32[] subtract(%constant_11, %multiply_3), frontend_attributes={is_spmd_generated="true"}
//|   %iota_1 = s32[2,17]{1,0} iota(), iota_dimension=1, frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_2 = s32[2,17]{1,0} broadcast(%subtract), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %compare = pred[2,17]{1,0} compare(%iota_1, %broadcast_in_dim_2), direction=LT, frontend_attributes={is_spmd_generated="true"}
//|   %constant_12 = pred[] constant(true), frontend_attributes={is_spmd_generated="true"}
//|   %broadcast_in_dim_3 = pred[2,17]{1,0} broadcast(%constant_12), dimensions={}, frontend_attributes={is_spmd_generated="true"}
//|   %select = pred[2,17]{1,0} select(%compare, %broadcast_in_dim_1, %broadcast_in_dim_3), frontend_attributes={is_spmd_generated="true"}
//|   %sort.1 = (f32[2,17]{1,0}, s32[2,17]{1,0}, pred[2,17]{1,0}) sort(%x_3, %v0, %select), dimensions={1}, is_stable=true, to_apply=top_k_gt_f32_comparator_padding_last, frontend_attributes={is_spmd_generated="true"}
//|   %sort = f32[2,17]{1,0} get-tuple-element(%sort.1), index=0
//|   %sort_1 = s32[2,17]{1,0} get-tuple-element(%sort.1), index=1
//|   %sort_2 = pred[2,17]{1,0} get-tuple-element(%sort.1), index=2
//|   %slice = f32[2,4]{1,0} slice(%sort), slice={[0:2], [0:4]}, frontend_attributes={is_spmd_generated="true"}
//|   %slice_1 = s32[2,4]{1,0} slice(%sort_1), slice={[0:2], [0:4]}, frontend_attributes={is_spmd_generated="true"}
//|   %slice_2 = pred[2,4]{1,0} slice(%sort_2), slice={[0:2], [0:4]}, frontend_attributes={is_spmd_generated="true"}
//|   %all_gather = f32[2,16]{1,0} all-gather(%slice), channel_id=2, replica_groups={{0,2,4,6},{1,3,5,7}}, dimensions={1}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %all_gather_1 = s32[2,16]{1,0} all-gather(%slice_1), channel_id=3, replica_groups={{0,2,4,6},{1,3,5,7}}, dimensions={1}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %sort.2 = (f32[2,16]{1,0}, s32[2,16]{1,0}) sort(%all_gather, %all_gather_1), dimensions={1}, is_stable=true, to_apply=top_k_gt_f32_comparator, frontend_attributes={is_spmd_generated="true"}
//|   %sort_3 = f32[2,16]{1,0} get-tuple-element(%sort.2), index=0
//|   %sort_4 = s32[2,16]{1,0} get-tuple-element(%sort.2), index=1
//|   %v1.0 = f32[2,4]{1,0} slice(%sort_3), slice={[0:2], [0:4]}, frontend_attributes={is_spmd_generated="true"}
//|   %v1.1 = s32[2,4]{1,0} slice(%sort_4), slice={[0:2], [0:4]}, frontend_attributes={is_spmd_generated="true"}
//|   %all_gather_2 = f32[4,4]{1,0} all-gather(%v1.0), channel_id=4, replica_groups={{0,1},{2,3},{4,5},{6,7}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %v1.0_1 = f32[3,4]{1,0} slice(%all_gather_2), slice={[0:3], [0:4]}, frontend_attributes={is_spmd_generated="true"}
//|   %all_gather_3 = s32[4,4]{1,0} all-gather(%v1.1), channel_id=5, replica_groups={{0,1},{2,3},{4,5},{6,7}}, dimensions={0}, use_global_device_ids=true, frontend_attributes={is_spmd_generated="true"}
//|   %v1.1_1 = s32[3,4]{1,0} slice(%all_gather_3), slice={[0:3], [0:4]}, frontend_attributes={is_spmd_generated="true"}
//|   ROOT %tuple = (f32[3,4]{1,0}, s32[3,4]{1,0}) tuple(%v1.0_1, %v1.1_1)
//| }
// RUN: run %s --check
//| same numbers on 8 devices: 104 values with 2872 elements compared, 5 collectives a device, 520 bytes sent by one device
// RUN: explain %s
//| program main on mesh x=4 x y=2 (8 devices)
//|
//| arguments
//|   x: f32[3,66]  P(None, 'x:(1)2')  per device f32[3,33]
//| results
//|   0: f32[3,4]  P(None, None)  per device f32[3,4]
//|   1: s32[3,4]  P(None, None)  per device s32[3,4]
//|
//| collectives: 5, most bytes first
//|   c1 all-gather of f32[2,33] over x:(1)2 (4 groups of 2): 264 B per device
//|      line 10: the constraint 'a' asks for P('y', 'x'), and 'x' is P(None, 'x:(1)2')
//|      because of constraint a (line 10)
//|      to send less: arg 0 'x' as P(None, None): 256 B sent in all instead of 520 B, memory 2.42 KiB instead of 1.53 KiB
//|   c2 all-gather of f32[2,4] over x (2 groups of 4): 96 B per device
//|      line 14: approx_top_k '1#0' works along a dim that is split, 'a' as P('y', 'x'), and needs parts of other devices' blocks
//|      because of constraint a (line 10)
//|   c3 all-gather of s32[2,4] over x (2 groups of 4): 96 B per device
//|      line 14: approx_top_k '1#0' works along a dim that is split, 'a' as P('y', 'x'), and needs parts of other devices' blocks
//|      because of constraint a (line 10)
//|   c4 all-gather of f32[2,4] over y (4 groups of 2): 32 B per device
//|      line 14: result 0 is wanted as P(None, None), and '1#0' is P('y', None)
//|      because of constraint a (line 10)
//|      to send less: constraint 'a' as P(None, None): 0 B sent in all instead of 520 B, memory 3.19 KiB instead of 1.53 KiB
//|   c5 all-gather of s32[2,4] over y (4 groups of 2): 32 B per device
//|      line 14: result 1 is wanted as P(None, None), and '1#1' is P('y', None)
//|      because of constraint a (line 10)
//|      to send less: constraint 'a' as P(None, None): 0 B sent in all instead of 520 B, memory 3.19 KiB instead of 1.53 KiB
//|
//| sent by one device: 520 B
//|   all-gather: 520 B
//|   over x: 192 B (all-gather)
//|   over x:(1)2: 264 B (all-gather)
//|   over y: 64 B (all-gather)
//| memory of one device: peak 1.53 KiB at 'pad_1' (line 10)
//|   arguments 396 B, results 96 B, of them in arguments' memory 0 B, temporaries 1.05 KiB
// RUN: compile %s --stop-after=types
//| spmdc.flat(1)
//| mesh = make_mesh((4, 2), ('x', 'y'), axis_types=(Auto, Auto))
//| def top_k_gt_f32_comparator(arg0: f32, arg1: f32, arg2: s32, arg3: s32):
//|     v0: pred = lax.gt(arg0, arg1)
//|     return v0
//|
//| def main(x: f32[3, 66]):
//|     a: f32[3, 66] = spmdc.constraint(x, "<@mesh, [{'y'}, {'x'}]>")
//|     v0: s32[3, 66] = lax.broadcasted_iota(dtype=s32, shape=(3, 66), dimension=1)
//|     c: s32 = jnp.array(-1, dtype=s32)
//|     cst: f32 = jnp.array(-inf, dtype=f32)
//|     v1_0, v1_1 = spmdc.op('approx_top_k', a, v0, cst, c, bodies=(top_k_gt_f32_comparator,), top_k=4, reduction_dim=1, recall_target=0.949999988079071, reduction_input_size_override=-1, aggregate_to_topk=True, is_fallback=True)
//|     v1_0: f32[3, 4]
//|     v1_1: s32[3, 4]
//|     return (v1_0, v1_1)
// RUN: compile %s --stop-after=types --emit=stablehlo
//| module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=4, "y"=2]>
//|   func.func public @main(%x: tensor<3x66xf32>) -> (tensor<3x4xf32>, tensor<3x4xi32>) {
//|     %a = sdy.sharding_constraint %x <@mesh, [{"y"}, {"x"}]> : tensor<3x66xf32>
//|     %0 = stablehlo.iota dim = 1 : tensor<3x66xi32>
//|     %c = stablehlo.constant dense<-1> : tensor<i32>
//|     %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
//|     %1:2 = stablehlo.custom_call @ApproxTopK(%a, %0, %cst, %c) {called_computations = [@top_k_gt_f32_comparator], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 4 : i64}} : (tensor<3x66xf32>, tensor<3x66xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x4xf32>, tensor<3x4xi32>)
//|     return %1#0, %1#1 : tensor<3x4xf32>, tensor<3x4xi32>
//|   }
//|   func.func private @top_k_gt_f32_comparator(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> (tensor<i1>) {
//|     %0 = stablehlo.compare GT, %arg0, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
//|     return %0 : tensor<i1>
//|   }
//| }
// RUN: compile %s --stop-after=types --emit=hlo
//| HloModule main, entry_computation_layout={(f32[3,66]{1,0})->(f32[3,4]{1,0}, s32[3,4]{1,0})}, num_partitions=8
//|
//| top_k_gt_f32_comparator {
//|   %arg0 = f32[] parameter(0)
//|   %arg1 = f32[] parameter(1)
//|   %arg2 = s32[] parameter(2)
//|   %arg3 = s32[] parameter(3)
//|   ROOT %v0 = pred[] compare(%arg0, %arg1), direction=GT
//| }
//|
//| ENTRY main {
//|   %x = f32[3,66]{1,0} parameter(0)
//|   %a = f32[3,66]{1,0} custom-call(%x), custom_call_target="Sharding", sharding={devices=[2,4]<=[4,2]T(1,0)}
//|   %v0 = s32[3,66]{1,0} iota(), iota_dimension=1
//|   %c = s32[] constant(-1)
//|   %cst = f32[] constant(-inf)
//|   %v1 = (f32[3,4]{1,0}, s32[3,4]{1,0}) custom-call(%a, %v0, %cst, %c), custom_call_target="ApproxTopK", called_computations={top_k_gt_f32_comparator}, backend_config={"aggregate_to_topk": true, "is_fallback": true, "recall_target": 0.95, "reduction_dim": 1, "reduction_input_size_override": -1, "top_k": 4}
//|   %v1.0 = f32[3,4]{1,0} get-tuple-element(%v1), index=0
//|   %v1.1 = s32[3,4]{1,0} get-tuple-element(%v1), index=1
//|   ROOT %tuple = (f32[3,4]{1,0}, s32[3,4]{1,0}) tuple(%v1.0, %v1.1)
//| }
