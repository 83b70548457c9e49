#!/bin/sh
# A suggestion without any client: JSON over gRPC, by reflection (which servers offer on loopback). Needs Node.js.
#
#     sh examples/curl.sh [ADDRESS]
set -eu
address=${1:-${SALOON_ADDRESS:-localhost:50051}}

call() {
    npx --yes @bufbuild/buf@1.74.0 curl --protocol grpc --http2-prior-knowledge --data "$2" "http://$address/saloon.v1.$1"
}

# With a seed a record needs no events: what follows from the seed may be left out.
call Bots/Suggest '{
  "situation": {"record": {"options": {"moonRiver": {"players": 3}}, "seed": 1}},
  "budget": {"time": "0.1s"},
  "count": 3
}'
