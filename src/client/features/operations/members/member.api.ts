import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { adminEntitlementCall } from '#shared/contracts/billing/admin-billing.ts'
import { adminUserCall } from '#shared/contracts/operations/member-account.ts'
import { adminMemberCall } from '#shared/contracts/operations/member-page.ts'
import { adminUserSupportCall } from '#shared/contracts/operations/member-support.ts'

/* What several sections of a member's page show. */

export const accountQuery = (userId: string) => alwaysStaleQuery(['admin-user', userId], adminUserCall, { userId })

export const memberQuery = (userId: string) => alwaysStaleQuery(['admin-member', userId], adminMemberCall, { userId })

export const supportQuery = (userId: string) =>
  alwaysStaleQuery(['admin-user-support', userId], adminUserSupportCall, { userId })

export const entitlementQuery = (userId: string) =>
  alwaysStaleQuery(['admin-entitlement', userId], adminEntitlementCall, { userId })
