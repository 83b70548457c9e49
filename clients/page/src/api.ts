/** The services of the server that this page came from, and what went wrong in words. */

import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { Bots, Rules, Tables } from "@saloon/client/v1";
import { signal } from "@preact/signals";
import { kept, keep } from "./keeping";
import { t } from "./words";

/** Servers with access tokens want one with every call. */
export const accessToken = signal(kept<string>("access", ""));
export const accessWanted = signal(false);

export function setAccessToken(token: string): void {
  accessToken.value = token;
  keep("access", token);
  accessWanted.value = false;
}

const withAccess: Interceptor = (next) => async (request) => {
  if (accessToken.value) request.header.set("authorization", `Bearer ${accessToken.value}`);
  try {
    return await next(request);
  } catch (error) {
    if (codeOf(error) === Code.Unauthenticated) accessWanted.value = true;
    throw error;
  }
};

const transport = createConnectTransport({
  baseUrl: location.origin,
  useBinaryFormat: true,
  interceptors: [withAccess],
});

export const tables = createClient(Tables, transport);
export const rules = createClient(Rules, transport);
export const bots = createClient(Bots, transport);

export function codeOf(error: unknown): Code {
  return ConnectError.from(error).code;
}

/** Whether the same may be tried again: the server cannot be reached, or has no time just now. */
export function passes(error: unknown): boolean {
  if (error instanceof TypeError) return true; // fetch: no network
  const code = codeOf(error);
  return code === Code.Unavailable || code === Code.Unknown || code === Code.DeadlineExceeded
    || code === Code.ResourceExhausted || code === Code.Aborted;
}

export function inWords(error: unknown): string {
  const found = ConnectError.from(error);
  switch (found.code) {
    case Code.Unavailable:
    case Code.Unknown:
      return t("unreachable");
    case Code.ResourceExhausted:
      return t("crowded");
    case Code.NotFound:
      return t("noSuchTable");
    case Code.PermissionDenied:
      return t("notInvited");
    case Code.Unauthenticated:
      return t("accessWanted");
    default:
      return found.rawMessage;
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Again and again, as long as what goes wrong may pass, or so many times; `lost` hears whether the server is out of reach. */
export async function persist<T>(what: () => Promise<T>, lost: (is: boolean) => void = () => {}, most = Infinity): Promise<T> {
  for (let wait = 300, tries = 1; ; wait = Math.min(wait * 2, 5000), tries += 1) {
    try {
      const result = await what();
      lost(false);
      return result;
    } catch (error) {
      if (!passes(error) || tries >= most) throw error;
      lost(true);
      await Promise.race([sleep(wait), new Promise((back) => addEventListener("online", back, { once: true }))]);
    }
  }
}
