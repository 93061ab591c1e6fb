// Three clients play the first actions of a game of 18 India at a Trunkline server: node game.mjs [host:port] [actions]
// Each seat watches the game and, when it may act, takes the first of its legal actions.
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const [address = "localhost:50051", most = "40"] = process.argv.slice(2);
const proto = process.env.TRUNKLINE_PROTO ?? fileURLToPath(new URL("../../proto", import.meta.url));
const definition = loader.loadSync("trunkline/v1/game_service.proto", { includeDirs: [proto], defaults: true });
const { GameService } = grpc.loadPackageDefinition(definition).trunkline.v1;
const client = new GameService(address, grpc.credentials.createInsecure());

const call = (method, request, token) =>
  new Promise((resolve, reject) => {
    const metadata = new grpc.Metadata();
    if (token) metadata.set("authorization", `Bearer ${token}`);
    client[method](request, metadata, (error, response) => (error ? reject(error) : resolve(response)));
  });

const players = ["Ann", "Bob", "Cem"];
const { game, seatTokens } = await call("createGame", { options: { players } });

async function act({ seat, token }, actionNumber) {
  const { legalActions } = await call("listLegalActions", { name: game.name }, token);
  if (!legalActions.length) return;
  const [{ action }] = legalActions;
  const request = { name: game.name, action, expectedActionNumber: actionNumber, requestId: randomUUID() };
  try {
    await call("applyAction", request, token);
  } catch (error) {
    if (error.code !== grpc.status.ABORTED) throw error; // somebody was quicker: the watch tells
  }
}

const watches = seatTokens.map(({ seat, token }) => {
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  const watch = client.watchGame({ name: game.name, table: true }, metadata);
  watch.on("data", (event) => {
    if (seat === 0 && event.action) console.log(`${event.actionNumber} ${players[event.action.seat]}: ${event.notation}`);
    if (event.revision === "0") return; // more follows at once
    if (event.actionNumber >= Number(most)) return watches.forEach((w) => w.cancel());
    if (event.game.actors.includes(seat)) act({ seat, token }, event.actionNumber).catch(fail);
  });
  watch.on("error", (error) => error.code !== grpc.status.CANCELLED && fail(error));
  return watch;
});

function fail(error) {
  console.error(`${grpc.status[error.code]}: ${error.details}`);
  process.exit(1);
}
