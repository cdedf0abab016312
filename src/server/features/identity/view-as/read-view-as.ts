import { createHash, randomBytes } from 'node:crypto'
import {
  type AccessFactsRow,
  accessFactsColumns,
  accessFactsJoins,
  parseAccessFacts,
  type StoredAccessFacts,
} from '#server/db/access-facts.ts'
import type { Deps } from '#server/feature.ts'
import type { Principal } from '#server/http/principal.ts'
import type { ViewableCall, Viewing } from '#server/http/product-calls.ts'
import { AppError } from '#shared/errors.ts'

/**
 * The calls that staff may make while they view the portal as a member. Every other call is refused, new ones included.
 * An `answer` stands for what only the member may see. A test makes all of them and compares the whole database before
 * and after.
 */
export const viewableCalls: Readonly<Record<string, ViewableCall>> = {
  // Leaves out `refresh`, which would sync with Stripe.
  'check-subscription': { input: { refresh: false } },
  'get-preferences': true,
  'personalize-content': true,
  'weekly-drops': true,
  'weekly-drop': true,
  'prompt-packs': true,
  guides: true,
  tools: true,
  // Its filters would tell what the member saved and tried.
  search: { input: { saved: false, tried: false } },
  archive: true,
  glossary: true,
  comments: true,
  // The portal tells members that no one else sees what they enter, save, read and try.
  'item-marks': {
    answer: {
      items: [],
      canAssign: false,
      openAssignments: null,
      versions: [],
      rules: {},
      continueReading: null,
      firstWeek: null,
    },
  },
  'business-profile': { answer: { values: {}, locations: [], answers: {} } },
  'franchisor-rules': { answer: { rules: [] } },
  'end-view-as': true,
}

/** Unlike an access token it has no dots, so that every other API takes it for no token at all. */
const prefix = 'viewas_'

export const newViewAsToken = () => `${prefix}${randomBytes(32).toString('base64url')}`

export const hashViewAsToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** The token of an `Authorization` header; null for any other. */
const readViewAsToken = (authorization: string | undefined): string | null =>
  /^Bearer +(viewas_[\w-]{43})$/i.exec(authorization ?? '')?.[1] ?? null

type Row = AccessFactsRow & {
  id: string
  view_id: string
  email: string
  name: string | null
  email_confirmed: boolean
}

/** Staff who may view members, as `user_roles` stores them. */
export const viewers = `('admin', 'support')`

// Joins every row that can end a view, so that the view ends with the next call.
const statementFor = (key: 'v.token_hash = $1' | 'v.id = $1::uuid') => `select json_build_object(
    'id', u.id, 'view_id', v.id, 'email', coalesce(u.email, ''),
    'name', coalesce(u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name'),
    'email_confirmed', u.email_confirmed_at is not null,
    ${accessFactsColumns})::text as row
  from view_as_sessions v
    join auth.users u on u.id = v.user_id and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= $2::timestamptz)
    join auth.users staff on staff.id = v.staff_id and staff.deleted_at is null
      and (staff.banned_until is null or staff.banned_until <= $2::timestamptz)
    join auth.sessions own on own.id = v.staff_session_id and own.user_id = v.staff_id
      and not own.awaits_second_factor and (own.not_after is null or own.not_after > $2::timestamptz)
    ${accessFactsJoins}
  where ${key} and v.ended_at is null and v.expires_at > $2::timestamptz
    and exists (select 1 from user_roles r where r.user_id = v.staff_id and r.role in ${viewers})
    and not exists (select 1 from user_roles r where r.user_id = u.id)
    and not exists (select 1 from suspended_staff s where s.user_id = u.id)`

const byToken = statementFor('v.token_hash = $1')
const byId = statementFor('v.id = $1::uuid')

/** Returns true if a view of this member goes on. For links that it made. */
export async function isViewOpen(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { viewId, userId }: { viewId: string; userId: string },
): Promise<boolean> {
  const [found] = await database.read<{ row: string }>('view-as-open', byId, [viewId, clock().toISOString()])
  return found !== undefined && (JSON.parse(found.row) as Row).id === userId
}

/** Recognizes staff who view the portal as a member, for product calls only. */
export const createViewing = ({ database, clock }: Pick<Deps, 'database' | 'clock'>): Viewing => ({
  isViewing: (authorization) => readViewAsToken(authorization) !== null,
  async read(authorization) {
    const token = readViewAsToken(authorization) ?? ''
    const values = [hashViewAsToken(token), clock().toISOString()]
    const [found] = await database.read<{ row: string }>('view-as-principal', byToken, values)
    if (!found) throw new AppError('session_not_found')
    return toPrincipal(JSON.parse(found.row) as Row, clock())
  },
  calls: new Map(Object.entries(viewableCalls)),
})

const toPrincipal = (row: Row, now: Date): Principal => ({
  userId: row.id,
  // The view is not a session of the account.
  sessionId: row.view_id,
  viewId: row.view_id,
  email: row.email,
  name: row.name,
  emailConfirmed: row.email_confirmed,
  aal: 'aal1',
  awaitsSecondFactor: false,
  isAnonymous: false,
  staffRole: null,
  // Checking the subscription must never settle a checkout.
  hasPendingCheckout: false,
  ...asSynced(parseAccessFacts(row), now),
})

/** A view never makes the server sync with Stripe. */
const asSynced = ({ subscription, team, ...rest }: StoredAccessFacts, now: Date): StoredAccessFacts => ({
  ...rest,
  subscription: subscription && { ...subscription, syncedAt: now },
  team: team && { ...team, syncedAt: now },
})
