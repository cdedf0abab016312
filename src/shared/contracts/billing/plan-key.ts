import { z } from 'zod'

/** `pro_monthly`, or `plan_` and twelve hex digits. Calls check for themselves whether the plan exists. */
export const planKeySchema = z.string().regex(/^[a-z0-9_]{1,40}$/, 'Choose a plan')
