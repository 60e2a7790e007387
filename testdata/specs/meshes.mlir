// A program with several meshes: a specs file names the one that each of its own stands for.
sdy.mesh @m1 = <["x"=4, "y"=2]>
sdy.mesh @m2 = <["x"=4, "y"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m1, [{"x"}, {}]>}, %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m2, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// --- two.json
{
  "spmdc_specs": 1,
  "meshes": [
    {"name": "m1", "axes": [["x", 2], ["y", 1]]},
    {"name": "m2", "axes": [["x", 2], ["y", 1]], "device_ids": [1, 0]}
  ],
  "in": {"a": {"mesh": "m2", "dims": [["x"], ["y"]]}}
}
// RUN: compile %s --specs two.json --stop-after=types --emit=stablehlo
//| module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @m1 = <["x"=2, "y"=1]>
//|   sdy.mesh @m2 = <["x"=2, "y"=1], device_ids=[1, 0]>
//|   func.func public @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m2, [{"x"}, {"y"}]>}, %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m2, [{"x"}, {}]>}) -> (tensor<8x16xf32>) {
//|     %0 = stablehlo.add %a, %b : tensor<8x16xf32>
//|     return %0 : tensor<8x16xf32>
//|   }
//| }
