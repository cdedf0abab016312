/** Name of the hidden sign-up field that only bots fill in. Chosen so that browsers don't autofill it. */
export const honeypotField = 'note_to_editor'

/** Hashes per batch: enough to keep the browser's crypto threads busy. */
const batchSize = 256

/**
 * Finds an answer whose SHA-256 starts with `bits` zero bits; each bit doubles the work. Send the result as the captcha
 * token. Each challenge from `sign-up-rules` works once.
 */
export async function solveProofOfWork({ challenge, bits }: { challenge: string; bits: number }): Promise<string> {
  const encoder = new TextEncoder()
  for (let first = 0; ; first += batchSize) {
    const answers = Array.from({ length: batchSize }, (_, index) =>
      proofAnswer(challenge, (first + index).toString(36)),
    )
    const digests = await Promise.all(answers.map((answer) => crypto.subtle.digest('SHA-256', encoder.encode(answer))))
    const found = digests.findIndex((digest) => leadingZeroBits(new Uint8Array(digest)) >= bits)
    if (found >= 0) return answers[found] ?? ''
  }
}

const proofAnswer = (challenge: string, nonce: string) => `${challenge}:${nonce}`

export function leadingZeroBits(bytes: Uint8Array): number {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  if (zeros < 0) return bytes.length * 8
  return zeros * 8 + Math.clz32(bytes[zeros] ?? 0) - 24
}
