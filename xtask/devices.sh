#!/bin/bash
# Usage: devices.sh NESTNET: `simulate --json` prints the same bytes on 1, 2 and 5 threads and on a GPU.
nestnet=$1 bad=0 n=0
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
same() {
    n=$((n + 1))
    "$nestnet" simulate "$@" --json --device cpu --threads 1 >$folder/cpu.json 2>$folder/cpu.err; c=$?
    for t in 2 5; do
        "$nestnet" simulate "$@" --json --device cpu --threads $t >$folder/cpu$t.json 2>/dev/null
        cmp -s $folder/cpu.json $folder/cpu$t.json || { bad=$((bad + 1)); echo "DIFFERENT on $t threads: $*"; }
    done
    "$nestnet" simulate "$@" --json --device gpu >$folder/gpu.json 2>$folder/gpu.err; g=$?
    if [ $c = $g ] && [ -s $folder/gpu.json ] && cmp -s $folder/cpu.json $folder/gpu.json && ! grep -q "the CPU does it" $folder/gpu.err; then
        echo "same $n: $*"
    else
        bad=$((bad + 1)); echo "DIFFERENT $n (exit $c, $g): $*"; head -2 $folder/gpu.err
    fi
}
W="--warmup 300 --cycles 1000"
for load in 0.05 0.4 1; do
    same "torus(8, 8)" --load $load $W
    same "torus(4, 4, 4)" --load $load $W --router dor
    same "mesh(6, 6)" --load $load $W
    same "fat_tree(4)" --load $load $W --packet 1:1,5:1
    same "rdn(ring(5), 1)" --load $load $W
    same "dragonfly(4, 2, groups=5)" --load $load $W
    same "hypercube(6)" --load $load $W --traffic bit_reverse
done
same "torus(8, 8)" --load 0.2
same "torus(8, 8)" --load 0.2 --precision 2%
same "torus(6, 6)"
same "rdn(petersen, 1)" --load 0.2 $W
same "rdn(torus(5, 5), 1)" --load 0.1 $W
same "random_regular(300, 4, 1)" --load 0.1 $W
same "hosts(torus(4, 4), 2)" --load 0.2 $W --packet 1:1,5:1
same "torus(5, 5)" --load 0.2 $W --router valiant
same "torus(8, 8)" --load 0.3 $W --traffic tornado
same "torus(8, 8)" --load 0.3 $W --traffic "hotspot(0.2, 3)"
same "torus(8, 8)" --load 0.3 $W --traffic "mix(0.8*uniform, 0.2*shift(3))"
same "torus(8, 8)" --load 0.3 $W --traffic "phases(100*uniform, 50*tornado)"
same "torus(8, 8)" --load 0.3 $W --traffic "onoff(uniform, 20, 60)"
same "torus(8, 8)" --load 0.3 $W --burst 20
same "torus(8, 8)" --load 0.3 $W --without-self
same "torus(8, 8)" --load 0.3 $W --packet 4 --switching cut-through
same "torus(8, 8)" --load 0.3 $W --latency 3,7
same "torus(8, 8)" --load 0.8 $W --vcs 8 --input-speedup 2
same "torus(8, 8)" --load 0.8 $W --vcs 32 --buffer 2
same "complete(40)" --load 0.9 $W --packet 3
same "torus(8, 8)" --load 0.8 $W --vc-allocator separable_input_first --switch-allocator separable_input_first
same "torus(8, 8)" --load 0.3 $W --energy --percentiles 90,99.9 --utilization
same "ring(8)" --load 0.9 --vcs 1 --packet 8 --warmup 3000 --cycles 6000
same "torus(4, 4)" --load 1 --vcs 1 --packet 8 --warmup 3000 --cycles 6000
same "torus(8, 8)" --load 0.2 $W --fail 0-1@0,9-17@0
same "torus(4, 4)" --load 0.2 $W --fail 0-1@0,0-3@0,0-4@0,0-12@0 --packet 1:1,5:1
same "rdn(ring(5), 1)" --load 0.1 $W --fail 0-1@0
same "fat_tree(4)" --load 0.2 $W --fail 16-24@0
same "torus(22, 22, 22)" --load 0.05 --warmup 200 --cycles 300
echo "$n configurations, $bad different"
exit $((bad > 0))
