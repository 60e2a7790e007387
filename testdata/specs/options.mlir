// A StableHLO program without a word about where things are; arguments have the names of their locations, and their own.
module @jit_f {
  func.func public @main(%arg0: tensor<8x16xf32> loc("x"), %arg1: tensor<16x32xf32> loc("params['w']")) -> (tensor<8x32xf32> {jax.result_info = "result['y']"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    return %0 : tensor<8x32xf32>
  }
}
// RUN: explain %s --mesh=data=4,model=2 --in 'x=P(data,_)' --in '%arg1=P(_, model)' --out 'result=P(data,model)'
//| program main on mesh data=4 x model=2 (8 devices)
//|
//| arguments
//|   arg0: f32[8,16]  P('data', None)  per device f32[2,16]
//|   arg1: f32[16,32]  P(None, 'model')  per device f32[16,16]
//| results
//|   0: f32[8,32]  P('data', 'model')  per device f32[2,16]
//|
//| collectives: none
//|
//| sent by one device: 0 B
//| memory of one device: peak 1.25 KiB
//|   arguments 1.12 KiB, results 128 B, of them in arguments' memory 0 B, temporaries 0 B
// RUN: compile %s --stop-after=types --emit=stablehlo --mesh=data=4,model=2 --in 'params=P((data,model:(1)2))'
//| module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["data"=4, "model"=2]>
//|   func.func public @main(%arg0: tensor<8x16xf32> loc("x"), %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "model"}, {}]>} loc("params['w']")) -> (tensor<8x32xf32> {jax.result_info = "result['y']"}) {
//|     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
//|     return %0 : tensor<8x32xf32>
//|   }
//| }
