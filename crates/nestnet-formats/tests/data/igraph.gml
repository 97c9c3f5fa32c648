Creator "igraph version 1.0.0 Wed Nov 18 20:57:33 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "sw a"
    color "red"
  ]
  node
  [
    id 1
    name "sw b"
    color "red"
  ]
  node
  [
    id 2
    name "sw c"
    color "red"
  ]
  edge
  [
    source 1
    target 0
  ]
  edge
  [
    source 2
    target 1
  ]
  edge
  [
    source 2
    target 1
  ]
]
