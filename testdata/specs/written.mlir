// The long form of a sharding, for what no PartitionSpec says: open dims with axes, priorities, pinned axes, sub-axes.
sdy.mesh @mesh = <["x"=4, "y"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, ?}p1, {}], replicated={"y"}>}, %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2}, {?}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// RUN: specs %s
//| {
//|   "spmdc_specs": 1,
//|   "program": "main",
//|   "mesh": {"axes": [["x", 4], ["y", 2]], "axis_types": ["auto", "auto"], "device_ids": [7, 6, 5, 4, 3, 2, 1, 0]},
//|   "in": {
//|     "a": {"type": "f32[8,16]", "sharding": {"dims": [["x:(1)2"], []], "open": [true, false], "priority": [1, 0], "replicated": ["y"]}},
//|     "b": {"type": "f32[8,16]", "sharding": "P('x:(2)2', UNCONSTRAINED)"}
//|   },
//|   "out": {
//|     "0": {"type": "f32[8,16]", "sharding": null}
//|   }
//| }
