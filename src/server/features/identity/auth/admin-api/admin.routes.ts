import { Hono } from 'hono'
import { z } from 'zod'
import type { AccountHook } from '#server/feature.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { type AuthDeps, readAuthBody } from '../auth-deps.ts'
import { requestedRedirect, resolveRedirect } from '../email-flows/allowed-redirects.ts'
import { deleteFactor } from '../factors/enroll-factor.ts'
import { deletePasskey, listPasskeys } from '../passkeys/passkeys.ts'
import { notifySecurityChange } from '../security/security-event.ts'
import { issuer } from '../sessions/access-token.ts'
import { adminCreateUser, adminDeleteUser, adminUpdateUser, operator, requireUser } from './admin-change-user.ts'
import { adminUserInput, requireId } from './admin-input.ts'
import { listUsers, pageLinks, readPage } from './admin-list-users.ts'
import { generateLink, generateLinkInput, invite, inviteInput } from './generate-link.ts'
import { createRequireServiceRole } from './require-service-role.ts'

const deleteUserInput = z.object({ should_soft_delete: z.boolean().nullish() })

/** The admin API, for programs with the service role key. */
export function adminRoutes(deps: AuthDeps & { onAccountDeleted: AccountHook }) {
  const requireService = createRequireServiceRole(deps)
  const { db } = deps.database
  return new Hono<AppEnv>()
    .use('/admin/*', async (c, next) => {
      await requireService(c.req.header('authorization'))
      return next()
    })
    .get('/admin/users', async (c) => {
      const page = readPage(c.req.query('page'), c.req.query('per_page'))
      const { users, total } = await listUsers(deps, page)
      c.header('X-Total-Count', String(total))
      c.header('Link', pageLinks(`${issuer(deps.config.publicUrl)}/admin/users`, page, total))
      return c.json({ users, aud: 'authenticated' })
    })
    .post('/admin/users', async (c) => c.json(await adminCreateUser(deps, await readAuthBody(c, adminUserInput))))
    .get('/admin/users/:id', async (c) => c.json(await requireUser(deps, userIdOf(c.req.param('id')))))
    .put('/admin/users/:id', async (c) => {
      const userId = userIdOf(c.req.param('id'))
      return c.json(await adminUpdateUser(deps, userId, await readAuthBody(c, adminUserInput)))
    })
    .delete('/admin/users/:id', async (c) => {
      const userId = userIdOf(c.req.param('id'))
      const { should_soft_delete: soft } = await readAuthBody(c, deleteUserInput)
      await adminDeleteUser(deps, userId, { soft: soft ?? false })
      return c.json({})
    })
    .get('/admin/users/:id/factors', async (c) =>
      c.json((await requireUser(deps, userIdOf(c.req.param('id')))).factors ?? []),
    )
    .delete('/admin/users/:id/factors/:factorId', async (c) => {
      const user = await requireUser(deps, userIdOf(c.req.param('id')))
      const factorId = requireId(c.req.param('factorId'), 'factor_id')
      const factor = user.factors?.find(({ id }) => id === factorId)
      if (!factor) throw new AppError('mfa_factor_not_found')
      const now = deps.clock()
      await db.transaction(async (tx) => {
        const dropped = await deleteFactor(tx, { id: factorId, userId: user.id }, now)
        if (dropped?.status !== 'verified') return
        const note = dropped.factorType
        const { id: userId, email } = user
        await notifySecurityChange(tx, deps, { event: 'factor_removed', userId, email, by: operator, note, now })
      })
      return c.json(factor)
    })
    .get('/admin/users/:id/passkeys', async (c) => {
      const { id } = await requireUser(deps, userIdOf(c.req.param('id')))
      return c.json(await listPasskeys(db, id))
    })
    .delete('/admin/users/:id/passkeys/:passkeyId', async (c) => {
      const { id: userId, email } = await requireUser(deps, userIdOf(c.req.param('id')))
      const passkeyId = requireId(c.req.param('passkeyId'), 'passkey_id')
      const now = deps.clock()
      await db.transaction(async (tx) => {
        if (!(await deletePasskey(tx, userId, passkeyId))) {
          throw new AppError('validation_failed', { status: 404, message: 'Passkey not found' })
        }
        await notifySecurityChange(tx, deps, { event: 'passkey_removed', userId, email, by: operator, now })
      })
      return c.body(null, 204)
    })
    .post('/admin/generate_link', async (c) => {
      const input = await readAuthBody(c, generateLinkInput)
      const rules = { siteUrl: deps.config.publicUrl, allowList: deps.config.auth.redirectAllowList }
      const redirectTo = resolveRedirect(rules, input.redirect_to ?? c.req.query('redirect_to'))
      return c.json(await generateLink(deps, input, redirectTo))
    })
    .post('/invite', async (c) => {
      await requireService(c.req.header('authorization'))
      return c.json(await invite(deps, await readAuthBody(c, inviteInput), requestedRedirect(deps, c)))
    })
}

const userIdOf = (given: string) => requireId(given, 'user_id')
