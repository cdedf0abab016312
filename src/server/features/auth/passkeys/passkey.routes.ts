import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { readAuthBody } from '../read-auth-body.ts'
import { requireWholeSession } from '../security/require-whole-session.ts'
import { answerSession } from '../sessions/answer-session.ts'
import { clientFacts } from '../sessions/client-facts.ts'
import { rememberDevice } from '../sessions/device-cookie.ts'
import { readCaller } from '../sessions/read-caller.ts'
import { listPasskeys, removePasskey, renamePasskey, renamePasskeyInput } from './passkeys.ts'
import { beginPasskey, finishPasskey, registerPasskeyInput } from './register-passkey.ts'
import { askForPasskey, passkeySignInInput, signInWithPasskey } from './verify-passkey.ts'

/** Signing in without a password, and the passkeys of an account. */
export function passkeyRoutes(deps: AuthDeps) {
  const requireAccount = async (c: Context<AppEnv>) => {
    const who = await readCaller(deps, c)
    if (who.isAnonymous) throw new AppError('no_authorization', { status: 403 })
    requireWholeSession(who)
    return who
  }
  return new Hono<AppEnv>()
    .post('/passkeys/registration/options', async (c) => {
      const who = await requireAccount(c)
      await deps.limits.take('passkey', c.var.clientAddress)
      return c.json(await beginPasskey(deps, who))
    })
    .post('/passkeys/registration/verify', async (c) => {
      const who = await requireAccount(c)
      await deps.limits.take('factor', c.var.clientAddress)
      const input = await readAuthBody(c, registerPasskeyInput)
      return c.json(await finishPasskey(deps, who, { input, client: clientFacts(deps, c) }))
    })
    .post('/passkeys/authentication/options', async (c) => {
      await deps.limits.take('passkey', c.var.clientAddress)
      return c.json(await askForPasskey(deps))
    })
    .post('/passkeys/authentication/verify', async (c) => {
      await deps.limits.take('token', c.var.clientAddress)
      const input = await readAuthBody(c, passkeySignInInput)
      const opened = await signInWithPasskey(deps, input, clientFacts(deps, c))
      rememberDevice(deps, c, opened)
      return c.json(await answerSession(deps, opened))
    })
    .get('/passkeys', async (c) => {
      const who = await readCaller(deps, c)
      requireWholeSession(who)
      return c.json(await listPasskeys(deps.database.db, who.userId))
    })
    .patch('/passkeys/:id', async (c) => {
      const who = await requireAccount(c)
      const { friendly_name: name } = await readAuthBody(c, renamePasskeyInput)
      return c.json(await renamePasskey(deps, who, c.req.param('id'), name))
    })
    .delete('/passkeys/:id', async (c) => {
      await removePasskey(deps, await requireAccount(c), c.req.param('id'), clientFacts(deps, c))
      return c.body(null, 204)
    })
}
