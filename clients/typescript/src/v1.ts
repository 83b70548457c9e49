/** The messages and services of the contract, as generated from proto/saloon/v1. */

export * from "./gen/saloon/v1/bots_pb.js";
export * from "./gen/saloon/v1/common_pb.js";
export * from "./gen/saloon/v1/game_pb.js";
export * from "./gen/saloon/v1/goldgraeber_pb.js";
export * from "./gen/saloon/v1/moon_river_pb.js";
export * from "./gen/saloon/v1/rules_pb.js";
export * from "./gen/saloon/v1/seats_pb.js";
export * from "./gen/saloon/v1/tables_pb.js";
