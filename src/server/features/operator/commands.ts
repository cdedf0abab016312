import { parseArgs } from 'node:util'
import type { Deps } from '#server/deps.ts'
import { normalizeEmail } from '#server/features/auth/email-flows/email-address.ts'
import { rotateSigningKeys } from '#server/features/auth/keys/rotate-signing-keys.ts'
import { OperatorProblem } from '#server/operator-problem.ts'
import { formatDay } from '#shared/domain/format.ts'
import { type Admin, grantAdmin, isRestoredByAdminEmails, listAdmins, revokeAdmin } from './admins.ts'
import { signOutEveryone, signOutUser } from './end-sessions.ts'

export type OperatorDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue' | 'secrets'>

const usage = `Usage:
  npm run admin -- grant <email> [--even-unconfirmed]
  npm run admin -- revoke <email> [--force]
  npm run admin -- list [<email>]
  npm run admin -- sign-out <email>
  npm run admin -- sign-out --everybody
  npm run keys:rotate [-- --now]`

/**
 * Does what the operator typed, whether it came from the shell or through the door of a running server.
 * @returns lines for the operator to read
 * @throws OperatorProblem
 */
export async function runCommand(deps: OperatorDeps, args: readonly string[]): Promise<string[]> {
  const [command, ...rest] = args
  if (command === 'keys:rotate') {
    const { words, flags } = read(rest, ['now'])
    if (words.length === 0) return rotateKeys(deps, flags.has('now'))
  }
  if (command === 'admin') {
    const [verb, ...more] = rest
    const { words, flags } = read(more, adminFlags.get(verb ?? '') ?? [])
    const [email] = words
    if (verb === 'grant' && email && words.length === 1) return grant(deps, email, flags.has('even-unconfirmed'))
    if (verb === 'revoke' && email && words.length === 1) return revoke(deps, email, flags.has('force'))
    if (verb === 'list' && words.length <= 1) return list(deps, email)
    if (verb === 'sign-out') {
      const everybody = flags.has('everybody')
      if (everybody && words.length === 0) return signOutEverybody(deps)
      if (!everybody && email && words.length === 1) return signOut(deps, email)
    }
  }
  throw new OperatorProblem(usage)
}

const adminFlags: ReadonlyMap<string, readonly string[]> = new Map([
  ['grant', ['even-unconfirmed']],
  ['revoke', ['force']],
  ['sign-out', ['everybody']],
])

function read(args: readonly string[], known: readonly string[]) {
  try {
    const options = Object.fromEntries(known.map((name) => [name, { type: 'boolean' as const }]))
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { words: positionals, flags: new Set(Object.keys(values)) }
  } catch {
    throw new OperatorProblem(usage)
  }
}

async function grant(deps: OperatorDeps, given: string, evenUnconfirmed: boolean): Promise<string[]> {
  const email = normalizeEmail(given)
  if (!(await grantAdmin(deps, email, { evenUnconfirmed }))) return [`${email} is an admin already.`]
  const admin = (await listAdmins(deps)).find((each) => each.email === email)
  const needsSecondStep = deps.config.auth.requireAdminMfa && admin?.secondStep === false
  return [
    `${email} is an admin now.`,
    ...(needsSecondStep ? ['The admin pages open once they have set up a second step under Account, Security.'] : []),
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
      ? 'ADMIN_EMAILS still names it: take it out there too, or its next confirmed mail makes it one.'
      : 'ADMIN_EMAILS still names it: take it out there too. No mail makes it one while it has a second step or passkey.',
  ]
}

async function list(deps: OperatorDeps, given: string | undefined): Promise<string[]> {
  const admins = await listAdmins(deps)
  if (given === undefined) {
    return admins.length > 0 ? admins.map(describe) : ['There is no admin yet: npm run admin -- grant <email>']
  }
  const email = normalizeEmail(given)
  const admin = admins.find((each) => each.email === email)
  return [admin ? describe(admin) : `${email} is not an admin.`]
}

const describe = ({ email, confirmed, disabled, secondStep, lastSignInAt }: Admin) =>
  [
    email,
    secondStep ? 'second step set up' : 'no second step',
    lastSignInAt ? `last signed in ${formatDay(lastSignInAt.toISOString().slice(0, 10))}` : 'never signed in',
    ...(confirmed ? [] : ['address not confirmed']),
    ...(disabled ? ['disabled'] : []),
  ].join(' · ')

async function signOut(deps: OperatorDeps, given: string): Promise<string[]> {
  const email = normalizeEmail(given)
  await signOutUser(deps, email)
  return [`${email} is signed out everywhere. Their password still works.`]
}

async function signOutEverybody(deps: OperatorDeps): Promise<string[]> {
  const ended = await signOutEveryone(deps)
  return [`Everybody is signed out: ${ended} ${ended === 1 ? 'session has' : 'sessions have'} ended.`]
}

async function rotateKeys(deps: OperatorDeps, atOnce: boolean): Promise<string[]> {
  const rotated = await rotateSigningKeys(deps, { atOnce, by: 'operator' })
  if (!rotated) {
    throw new OperatorProblem(
      'The present signing keys cannot be opened with this SECRET_KEY. Nothing was changed: run it with the secret that the server has.',
    )
  }
  const { kid, signsFrom } = rotated
  if (atOnce) {
    return [
      `The key ${kid} signs from now on, and all older keys are withdrawn.`,
      'Other nodes follow within a minute. Sessions go on, but whoever is signed in has to wait for the next refresh, or sign in again.',
    ]
  }
  return [
    `The key ${kid} is published now and signs from ${signsFrom.toISOString()}.`,
    'The present key signs until then, stays valid for what it has signed, and is removed by itself.',
  ]
}
