#!/usr/bin/env bash
# setup.sh: sourced by the other scripts; installs what the build needs where it is missing, and configures build trees.

# Said once, with the time since the script started.
say() { printf '== %3ds  %s\n' "$SECONDS" "$*"; }

# missing_packages PACKAGE...: those that are not installed, one a line.
missing_packages() {
  comm -23 <(printf '%s\n' "$@" | sort -u) \
    <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | sort -u)
}

# The LLVM development package to use: one that is there, else 14, else the system's default.
llvm_package() {
  if compgen -G '/usr/lib/llvm-*/lib/libLLVMSupport.a' >/dev/null; then
    return
  fi
  if apt-cache show llvm-14-dev >/dev/null 2>&1; then
    echo llvm-14-dev
  else
    echo llvm-dev
  fi
}

# Whether clang++ is here, with its fuzzer.
has_libfuzzer() {
  command -v clang++ >/dev/null && compgen -G "$(clang++ -print-resource-dir)/lib/*/libclang_rt.fuzzer*.a" >/dev/null
}

# Clang with its fuzzer, which newer releases keep in a package of its own.
fuzzer_packages() {
  if has_libfuzzer; then
    return
  fi
  echo clang
  if apt-cache show libclang-rt-dev >/dev/null 2>&1; then
    echo libclang-rt-dev
  fi
}

# What is missing of that whose package names depend on the release.
chosen_packages() {
  llvm_package
  if [ -n "${with_fuzzer:-}" ]; then
    fuzzer_packages
  fi
}

# install_packages [PACKAGE...]: the build's packages and the given ones; with_fuzzer=1 before it asks for Clang's fuzzer
# too. Runs apt-get only if one is missing.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say 'no dpkg here: the packages are yours to install (see README.md)'
    return
  fi
  local wanted=(g++ make cmake ninja-build ccache libcli11-dev nlohmann-json3-dev libgtest-dev libgmock-dev
                libbenchmark-dev libdnnl-dev liblapacke-dev zlib1g-dev xz-utils "$@")
  local missing chosen
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  mapfile -t chosen < <(chosen_packages)
  if [ ${#missing[@]} -eq 0 ] && [ ${#chosen[@]} -eq 0 ]; then
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "missing packages: ${missing[*]} ${chosen[*]}; install them, or run this script as root" >&2
    return 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  say "apt-get update"
  apt-get -qq -o Acquire::Retries=3 update
  mapfile -t chosen < <(chosen_packages)  # asked again: before the update apt may know no names
  missing+=("${chosen[@]}")
  say "apt-get install ${missing[*]}"
  apt-get -qq -y -o Acquire::Retries=3 --no-install-recommends install "${missing[@]}" >/dev/null
}

# configure PRESET [CMAKE ARGUMENT...]: only where the tree is not configured; Ninja looks for changes by itself.
configure() {
  local preset=$1
  shift
  if [ ! -f "build/$preset/build.ninja" ] || [ $# -gt 0 ]; then
    cmake --preset "$preset" "$@" >"build/$preset.log" 2>&1 || { cat "build/$preset.log" >&2; return 1; }
  fi
}

# A cache of objects, so that a fresh clone in another folder builds fast too.
export CCACHE_BASEDIR=${repo:?} CCACHE_NOHASHDIR=1
jobs=$(nproc)
mkdir -p "$repo/build"
