/** 32 letters, digits, '-' and '_' that nobody guesses; also where a page has no crypto.randomUUID, without TLS. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
