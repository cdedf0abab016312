import { parseArgs } from 'node:util'
import { and, eq, isNull } from 'drizzle-orm'
import {
  flowState,
  oauthAuthorizations,
  oauthConsents,
  oneTimeTokens,
  sessions,
  users,
} from '#server/db/schema/index.ts'
import { OperatorError } from '#server/explain-start-error.ts'
import type { Deps } from '#server/feature.ts'
import { revokeTokens } from '#server/features/identity/auth/email-flows/one-time-token.ts'
import { rotateSigningKeys } from '#server/features/identity/auth/keys/rotate-signing-keys.ts'
import { endConnections } from '#server/features/identity/auth/oauth/end-connections.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import { logOut } from '#server/features/identity/auth/sessions/log-out.ts'
import { exportToFile, importFromFile } from '#server/features/operations/archive/archive-commands.ts'
import { runBackupCommand } from '#server/features/operations/backup/backup-command.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { formatDay } from '#shared/domain/format.ts'
import { type Admin, grantAdmin, isRestoredByAdminEmails, listAdmins, revokeAdmin } from './grant-admin.ts'

type SessionDeps = Pick<Deps, 'database' | 'clock'>

/**
 * Signs a user out everywhere, ends their connections, and revokes emailed links and codes.
 * @throws OperatorError
 */
export async function signOutUser({ database, clock }: SessionDeps, given: string): Promise<void> {
  const email = normalizeEmail(given)
  await database.db.transaction(async (tx) => {
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.email, email), isNull(users.deletedAt)))
      .for('update')
    if (!user) throw new OperatorError(`There is no account with the address ${email}.`)
    const open = await tx.$count(sessions, eq(sessions.userId, user.id))
    await logOut(tx, { userId: user.id, sessionId: '' }, 'global')
    await revokeTokens(tx, user.id)
    await endConnections(tx, user.id)
    await tx.delete(flowState).where(eq(flowState.userId, user.id))
    const changes = changesBetween({ sessions: open }, { sessions: 0 })
    await recordSecurityEvent(tx, {
      event: 'signed_out',
      userId: user.id,
      email,
      by: 'operator',
      changes,
      now: clock(),
    })
  })
}

/**
 * Signs everyone out, for use after the database or SECRET_KEY may have leaked.
 * @returns the number of sessions ended
 */
export async function signOutEveryone({ database, clock }: SessionDeps): Promise<number> {
  return database.db.transaction(async (tx) => {
    const ended = await tx.delete(sessions).returning({ id: sessions.id })
    await tx.delete(oneTimeTokens)
    await tx.delete(oauthAuthorizations)
    await tx.delete(oauthConsents)
    await tx.delete(flowState)
    await recordSecurityEvent(tx, {
      event: 'signed_out',
      userId: null,
      email: '',
      by: 'operator',
      note: 'everyone',
      changes: changesBetween({ sessions: ended.length }, { sessions: 0 }),
      now: clock(),
    })
    return ended.length
  })
}

export type OperatorDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue' | 'secrets' | 'logger' | 'store'>

const usage = `Usage:
  npm run admin -- grant <email> [--even-unconfirmed]
  npm run admin -- revoke <email> [--force]
  npm run admin -- list [<email>]
  npm run admin -- sign-out <email>
  npm run admin -- sign-out --everyone
  npm run keys:rotate [-- --now]
  npm run export -- <file.zip> [--with-password-hashes]
  npm run import -- <file.zip> [--trusted]
  npm run backup
  npm run backup -- list
  npm run backup -- drill`

/**
 * Runs a command that was typed in a shell, in this process or through the control server.
 * @returns lines to print
 * @throws OperatorError
 */
export async function runCommand(deps: OperatorDeps, args: readonly string[]): Promise<string[]> {
  const [command, ...rest] = args
  if (command === 'keys:rotate') {
    const { words, flags } = read(rest, ['now'])
    if (words.length === 0) return rotateKeys(deps, flags.has('now'))
  }
  if (command === 'export') {
    const { words, flags } = read(rest, ['with-password-hashes'])
    const [file] = words
    if (file && words.length === 1) {
      return exportToFile(deps, file, { withPasswordHashes: flags.has('with-password-hashes') })
    }
  }
  if (command === 'import') {
    const { words, flags } = read(rest, ['trusted'])
    const [file] = words
    if (file && words.length === 1) return importFromFile(deps, file, { trusted: flags.has('trusted') })
  }
  if (command === 'backup') {
    const { words } = read(rest, [])
    const lines = words.length <= 1 ? await runBackupCommand(deps, words[0]) : null
    if (lines) return lines
  }
  if (command === 'admin') {
    const [verb, ...more] = rest
    const { words, flags } = read(more, adminFlags.get(verb ?? '') ?? [])
    const [email] = words
    if (verb === 'grant' && email && words.length === 1) return grant(deps, email, flags.has('even-unconfirmed'))
    if (verb === 'revoke' && email && words.length === 1) return revoke(deps, email, flags.has('force'))
    if (verb === 'list' && words.length <= 1) return list(deps, email)
    if (verb === 'sign-out') {
      const everyone = flags.has('everyone') || flags.has('everybody')
      if (everyone && words.length === 0) return signOutAll(deps)
      if (!everyone && email && words.length === 1) return signOut(deps, email)
    }
  }
  throw new OperatorError(usage)
}

const adminFlags: ReadonlyMap<string, readonly string[]> = new Map([
  ['grant', ['even-unconfirmed']],
  ['revoke', ['force']],
  // `--everybody` is the former name of `--everyone`.
  ['sign-out', ['everyone', 'everybody']],
])

function read(args: readonly string[], known: readonly string[]) {
  try {
    const options = Object.fromEntries(known.map((name) => [name, { type: 'boolean' as const }]))
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { words: positionals, flags: new Set(Object.keys(values)) }
  } catch {
    throw new OperatorError(usage)
  }
}

async function grant(deps: OperatorDeps, given: string, evenUnconfirmed: boolean): Promise<string[]> {
  const email = normalizeEmail(given)
  if (!(await grantAdmin(deps, email, { evenUnconfirmed }))) return [`${email} is already an admin.`]
  const admin = (await listAdmins(deps)).find((each) => each.email === email)
  const needsSecondStep = deps.config.auth.requireAdminMfa && admin?.secondStep === false
  return [
    `${email} is now an admin.`,
    ...(needsSecondStep
      ? ['They can open the admin pages after setting up two-step verification under Account > Security.']
      : []),
  ]
}

async function revoke(deps: OperatorDeps, given: string, force: boolean): Promise<string[]> {
  const email = normalizeEmail(given)
  const revoked = await revokeAdmin(deps, email, { force })
  const lines = [revoked ? `${email} is no longer an admin.` : `${email} is not an admin.`]
  if (!deps.config.adminEmails.includes(email)) return lines
  return [
    ...lines,
    (await isRestoredByAdminEmails(deps, email))
      ? 'The address is still in ADMIN_EMAILS. Remove it there too, or the next email they confirm makes them an admin again.'
      : 'The address is still in ADMIN_EMAILS. Remove it there too. Until then, the role is not restored while the account has a second factor or passkey.',
  ]
}

async function list(deps: OperatorDeps, given: string | undefined): Promise<string[]> {
  const admins = await listAdmins(deps)
  if (given === undefined) {
    return admins.length > 0
      ? admins.map(describe)
      : ['There are no admins yet. Add one: npm run admin -- grant <email>']
  }
  const email = normalizeEmail(given)
  const admin = admins.find((each) => each.email === email)
  return [admin ? describe(admin) : `${email} is not an admin.`]
}

const describe = ({ email, confirmed, disabled, secondStep, lastSignInAt }: Admin) =>
  [
    email,
    secondStep ? 'two-step verification on' : 'two-step verification off',
    lastSignInAt ? `last signed in ${formatDay(lastSignInAt.toISOString().slice(0, 10))}` : 'never signed in',
    ...(confirmed ? [] : ['address not confirmed']),
    ...(disabled ? ['disabled'] : []),
  ].join(' · ')

async function signOut(deps: OperatorDeps, given: string): Promise<string[]> {
  const email = normalizeEmail(given)
  await signOutUser(deps, email)
  return [`${email} is signed out everywhere. Their password still works.`]
}

async function signOutAll(deps: OperatorDeps): Promise<string[]> {
  const ended = await signOutEveryone(deps)
  return [`Everyone is signed out. ${ended} ${ended === 1 ? 'session' : 'sessions'} ended.`]
}

async function rotateKeys(deps: OperatorDeps, atOnce: boolean): Promise<string[]> {
  const rotated = await rotateSigningKeys(deps, { atOnce, by: 'operator' })
  if (!rotated) {
    throw new OperatorError(
      'This SECRET_KEY can’t decrypt the current signing keys, so nothing was changed. Run the command with the server’s SECRET_KEY.',
    )
  }
  const { kid, signsFrom } = rotated
  if (atOnce) {
    return [
      `Key ${kid} now signs all tokens. All older keys are revoked.`,
      'Other nodes pick it up within a minute. Sessions continue, but signed-in users may see errors until their next token refresh.',
    ]
  }
  return [
    `Key ${kid} is published and signs tokens from ${signsFrom.toISOString()}.`,
    'Until then the current key signs. It is removed automatically after its last token expires.',
  ]
}
