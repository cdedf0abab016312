import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { type AuthDeps, readAuthBody } from '../auth-deps.ts'
import { requireMfaCompleted } from '../security/require-mfa-completed.ts'
import { clientInfo } from '../sessions/client-info.ts'
import { rememberDevice } from '../sessions/device-cookie.ts'
import { readCaller } from '../sessions/read-caller.ts'
import { answerSignIn } from '../sessions/session-response.ts'
import { listPasskeys, removePasskey, renamePasskey, renamePasskeyInput } from './passkeys.ts'
import { finishPasskeyRegistration, registerPasskeyInput, startPasskeyRegistration } from './register-passkey.ts'
import { createPasskeyChallenge, passkeySignInInput, signInWithPasskey } from './verify-passkey.ts'

/** Passkey registration, sign-in and management. */
export function passkeyRoutes(deps: AuthDeps) {
  const requireAccount = async (c: Context<AppEnv>) => {
    const who = await readCaller(deps, c)
    if (who.isAnonymous) throw new AppError('no_authorization', { status: 403 })
    requireMfaCompleted(who)
    return who
  }
  return new Hono<AppEnv>()
    .post('/passkeys/registration/options', async (c) => {
      const who = await requireAccount(c)
      await deps.limits.consume('passkey', c.var.clientAddress)
      return c.json(await startPasskeyRegistration(deps, who))
    })
    .post('/passkeys/registration/verify', async (c) => {
      const who = await requireAccount(c)
      await deps.limits.consume('factor', c.var.clientAddress)
      const input = await readAuthBody(c, registerPasskeyInput)
      return c.json(await finishPasskeyRegistration(deps, who, { input, client: clientInfo(deps, c) }))
    })
    .post('/passkeys/authentication/options', async (c) => {
      await deps.limits.consume('passkey', c.var.clientAddress)
      return c.json(await createPasskeyChallenge(deps))
    })
    .post('/passkeys/authentication/verify', async (c) => {
      await deps.limits.consume('token', c.var.clientAddress)
      const input = await readAuthBody(c, passkeySignInInput)
      const opened = await signInWithPasskey(deps, input, clientInfo(deps, c))
      rememberDevice(deps, c, opened)
      return c.json(await answerSignIn(deps, opened))
    })
    .get('/passkeys', async (c) => {
      const who = await readCaller(deps, c)
      requireMfaCompleted(who)
      return c.json(await listPasskeys(deps.database.db, who.userId))
    })
    .patch('/passkeys/:id', async (c) => {
      const who = await requireAccount(c)
      const { friendly_name: name } = await readAuthBody(c, renamePasskeyInput)
      return c.json(await renamePasskey(deps, who, c.req.param('id'), name))
    })
    .delete('/passkeys/:id', async (c) => {
      await removePasskey(deps, await requireAccount(c), c.req.param('id'), clientInfo(deps, c))
      return c.body(null, 204)
    })
}
