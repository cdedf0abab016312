/**
 * Name under which the sign-up form sends, within its `data`, the field that no person sees. A program that fills in
 * whatever it finds gives itself away; browsers have nothing to fill it with by themselves.
 */
export const honeypotField = 'note_to_editor'

/** Nonces tried between two looks at the digests: enough to keep the browser's threads busy, little to throw away. */
const batchSize = 256

/**
 * Looks for an answer whose SHA-256 begins with so many zero bits; each further bit doubles the work. What comes back is
 * sent as the captcha token. Give the challenge of `sign-up-rules`, a fresh one for each try.
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
