import { alwaysStaleQuery, CallError } from '#client/lib/calls.ts'
import { adminCustomFieldsCall } from '#shared/contracts/reader/custom-fields.ts'

/** The publisher's fields, retired ones included. */
export const storedFieldsQuery = alwaysStaleQuery(['admin-custom-fields'], adminCustomFieldsCall, {})
/** Someone else has saved the field since it was loaded. */
export const isConflict = (error: unknown) => error instanceof CallError && error.code === 'edit_conflict'
