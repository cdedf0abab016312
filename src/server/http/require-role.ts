import type { StaffRole } from '#shared/domain/staff-roles.ts'
import { AppError } from '#shared/errors.ts'
import type { Principal } from './principal.ts'

/** @throws AppError role_not_allowed with the caller's role, so that a client notices when it has changed */
export function requireRole(roles: readonly StaffRole[], { staffRole }: Pick<Principal, 'staffRole'>): void {
  if (!staffRole || !roles.includes(staffRole)) throw new AppError('role_not_allowed', { extra: { role: staffRole } })
}
