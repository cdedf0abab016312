import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { adminGiftsCall } from '#shared/contracts/billing/gifts.ts'

export const giftsQuery = alwaysStaleQuery(['admin-gifts'], adminGiftsCall, {})
