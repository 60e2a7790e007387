// One name for two attributes, and one for two types.
#s = #sdy.sharding<@mesh, [{"x"}]>
#s = #sdy.sharding<@mesh, [{}]>
!t = tensor<8xf32>
!t = tensor<4xf32>
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%arg0: !t {sdy.sharding = #s}) -> !t {
    return %arg0 : !t
  }
}
// RUN: compile %s
//! testdata/errors/fail_alias_twice.mlir:3:1: error: attribute alias `#s` is defined twice [redefinition]
//! #s = #sdy.sharding<@mesh, [{}]>
//! ^~
//! testdata/errors/fail_alias_twice.mlir:5:1: error: type alias `!t` is defined twice [redefinition]
//! !t = tensor<4xf32>
//! ^~
// EXIT: 3
