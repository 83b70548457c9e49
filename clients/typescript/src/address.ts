/** Where a server is: plaintext on this machine, TLS everywhere else. */

/** The address as a URL without a slash at its end; TypeError if what is asked for would send everything in the clear. */
export function url(address: string, insecure: boolean): string {
  const given = /^[a-z][a-z0-9+.-]*:\/\//i.test(address);
  const parsed = parse(given ? address : `http://${address}`);
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol) || parsed.search || parsed.hash) {
    throw new TypeError(`address: expected one like http://localhost:8080, got ${JSON.stringify(address)}`);
  }
  const plain = isLocal(parsed.hostname) || insecure || parsed.origin === globalThis.location?.origin;
  if (!given && !plain) return url(`https://${address}`, insecure);
  if (parsed.protocol === "http:" && !plain) {
    throw new TypeError(`address: ${address} is not on this machine: expected https, or insecure: true to do without`);
  }
  return parsed.href.replace(/\/+$/, "");
}

function parse(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

function isLocal(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}
