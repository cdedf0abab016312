import type { FactorRow, IdentityRow, UserRow } from '../sessions/session-row.ts'

const instant = (value: Date | string | null) => (value === null ? undefined : new Date(value).toISOString())

/** The User object of the API. Undefined fields are omitted; `email` and `phone` are empty strings if not set. */
export function toWireUser(row: UserRow) {
  return {
    id: row.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: row.email ?? '',
    phone: row.phone ?? '',
    email_confirmed_at: instant(row.email_confirmed_at),
    phone_confirmed_at: instant(row.phone_confirmed_at),
    confirmed_at: instant(row.confirmed_at),
    confirmation_sent_at: instant(row.confirmation_sent_at),
    recovery_sent_at: instant(row.recovery_sent_at),
    email_change_sent_at: instant(row.email_change_sent_at),
    phone_change_sent_at: instant(row.phone_change_sent_at),
    reauthentication_sent_at: instant(row.reauthentication_sent_at),
    invited_at: instant(row.invited_at),
    new_email: row.email_change || undefined,
    new_phone: row.phone_change || undefined,
    last_sign_in_at: instant(row.last_sign_in_at),
    app_metadata: row.app_metadata ?? {},
    user_metadata: row.user_metadata ?? {},
    identities: (row.identities ?? []).map(toWireIdentity),
    factors: row.factors?.map(toWireFactor),
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
    banned_until: instant(row.banned_until),
    deleted_at: instant(row.deleted_at),
    is_anonymous: row.is_anonymous,
  }
}

export type WireUser = ReturnType<typeof toWireUser>

const toWireIdentity = (row: IdentityRow) => ({
  identity_id: row.identity_id,
  id: row.id,
  user_id: row.user_id,
  identity_data: row.identity_data,
  provider: row.provider,
  email: row.email ?? undefined,
  last_sign_in_at: instant(row.last_sign_in_at),
  created_at: instant(row.created_at),
  updated_at: instant(row.updated_at),
})

const toWireFactor = (row: FactorRow) => ({
  id: row.id,
  factor_type: row.factor_type,
  status: row.status,
  friendly_name: row.friendly_name || undefined,
  phone: row.phone ?? '',
  created_at: instant(row.created_at),
  updated_at: instant(row.updated_at),
  last_challenged_at: instant(row.last_challenged_at) ?? null,
})
