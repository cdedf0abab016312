import { Secret, TOTP } from 'otpauth'
import type { TestApp } from '#tests/support/create-test-app.ts'
import { call } from './client.ts'

/** The TOTP code at the test clock's time. */
export const totpCode = (server: TestApp, secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now.getTime() })

async function answered<T>(answer: Response | Promise<Response>): Promise<T> {
  const settled = await answer
  if (settled.status !== 200) throw new Error(`answered ${settled.status}: ${await settled.text()}`)
  return (await settled.json()) as T
}

/** Sets up an authenticator app over HTTP. Its session is at aal2 afterwards, with a new token. */
export async function verifiedTotp(server: TestApp, { token }: { token: string }) {
  const factor = await answered<{ id: string; totp: { secret: string } }>(
    call(server, '/factors', { token, body: { factor_type: 'totp' } }),
  )
  const session = await passTotp(server, { token, factorId: factor.id, secret: factor.totp.secret })
  return { factorId: factor.id, secret: factor.totp.secret, token: session.access_token, session }
}

export async function passTotp(server: TestApp, given: { token: string; factorId: string; secret: string }) {
  const { token, factorId, secret } = given
  const challenge = await answered<{ id: string }>(call(server, `/factors/${factorId}/challenge`, { token, body: {} }))
  return answered<{ access_token: string; refresh_token: string }>(
    call(server, `/factors/${factorId}/verify`, {
      token,
      body: { challenge_id: challenge.id, code: totpCode(server, secret) },
    }),
  )
}
