// Shardings within the text go along to the new mesh by the names of their axes.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.tanh %a : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {"y"}]> : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
// RUN: compile %s --stop-after=types --emit=stablehlo --mesh=x=2,y=8,z=3
//| module attributes {mhlo.num_partitions = 48 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["x"=2, "y"=8, "z"=3]>
//|   func.func public @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x16xf32>) {
//|     %0 = stablehlo.tanh %a : tensor<8x16xf32>
//|     %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {"y"}]> : tensor<8x16xf32>
//|     return %1 : tensor<8x16xf32>
//|   }
//| }
// RUN: compile %s --stop-after=types --emit=stablehlo --mesh=data=2,model=4
//| module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
//|   sdy.mesh @mesh = <["data"=2, "model"=4]>
//|   func.func public @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "model":(1)2}, {}]>}) -> (tensor<8x16xf32>) {
//|     %0 = stablehlo.tanh %a : tensor<8x16xf32>
//|     %1 = sdy.sharding_constraint %0 <@mesh, [{"data", "model":(1)2}, {"model":(2)2}]> : tensor<8x16xf32>
//|     return %1 : tensor<8x16xf32>
//|   }
//| }
