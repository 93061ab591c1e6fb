// Solves a position file with a Trunkline server: node solve.mjs [host:port] [file]
// A position's file format is the message's JSON form, so the file is sent as it is.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const [address = "localhost:50051", file = fileURLToPath(new URL("../position.json", import.meta.url))] =
  process.argv.slice(2);
const proto = process.env.TRUNKLINE_PROTO ?? fileURLToPath(new URL("../../proto", import.meta.url));
const definition = loader.loadSync("trunkline/v1/solver_service.proto", { includeDirs: [proto], defaults: true });
const { SolverService } = grpc.loadPackageDefinition(definition).trunkline.v1;
const client = new SolverService(address, grpc.credentials.createInsecure());

const position = JSON.parse(readFileSync(file, "utf8"));
const call = client.solveStream({ position }, { deadline: Date.now() + 10_000 });

call.on("data", ({ solution, final }) => {
  if (!final) return console.log(`found ${solution.total}, at most ${solution.upperBound}`);
  for (const route of solution.routes) {
    const stops = route.stops.map((stop) => (stop.counted ? stop.hex : `(${stop.hex})`));
    console.log(`${route.name}: ${stops.join("-")} = ${route.revenue}`);
    for (const line of route.lines) console.log(`  ${String(line.amount).padStart(4)}  ${line.label}`);
  }
  for (const train of solution.idle) console.log(`${train.name}: ${train.reason}`);
  console.log(`total ${solution.total}, ${solution.optimal ? "proven best" : `at most ${solution.upperBound}`}`);
});
call.on("error", (error) => {
  console.error(`${grpc.status[error.code]}: ${error.details}`);
  process.exitCode = 1;
});
call.on("end", () => client.close());
