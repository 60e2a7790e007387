// A barrier lets the argument's axes through to the result, and not those of the result back.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func public @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>})
    -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>}) {
  %0 = stablehlo.tanh %a : tensor<16x8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<16x8xf32>
  %2 = stablehlo.negate %1 : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}
// RUN: explain --trace-propagation %s
//| step 0: 'a' dim 0 on x, from arg 0 (line 3)
//| step 1: '2' dim 1 on y, from result 0 (line 4), which returns it
//| step 2: '0' dim 0 on x, from arg 0 (line 3), forward through tanh '0' from 'a'
//| step 3: '1' dim 0 on x, from arg 0 (line 3), forward through sdy.propagation_barrier '1' from '0'
//| step 4: '1' dim 1 on y, from result 0 (line 4), backward through negate '2'
//| step 5: '2' dim 0 on x, from arg 0 (line 3), forward through negate '2' from '1'
//| conflict at '0' (line 5): y of '1' does not reach it through sdy.propagation_barrier '1': the barrier holds it back
//| nobody decided: 0 of 4 arrays, which no annotation reaches
// RUN: run %s --check
//| same numbers on 8 devices: 40 values with 896 elements compared, 0 collectives a device, 0 bytes sent by one device
