// The heap of a short-lived process.
#pragma once

namespace spmdc {

// Makes the heap keep what is freed, and takes what most programs need in all as one piece, of large pages where the system
// has them. A process that compiles one program spends up to a third of its time on page faults otherwise. Called once, at
// the start of main; nothing where the C library is another than glibc.
void ReserveHeap();

}  // namespace spmdc
