import { z } from 'zod'

/** What content/ knows about an item besides its text. */

/** Rules of states and cities on one subject. */
export const stateRuleGroupSchema = z.object({
  title: z.string(),
  rows: z.array(
    z.object({
      name: z.string(),
      /** `US` for all of them. */
      states: z.array(z.string()),
      text: z.string(),
      source: z.url(),
      checkedOn: z.iso.date(),
    }),
  ),
})
export type StateRuleGroup = z.infer<typeof stateRuleGroupSchema>

/** Whether an item was tried with an assistant. */
export const runStateSchema = z.object({
  /** True if there are five inputs for a run. */
  isPrepared: z.boolean(),
  tried: z
    .object({
      on: z.iso.date(),
      assistant: z.string(),
      passed: z.number().int().nonnegative(),
      total: z.number().int().positive(),
    })
    .nullable(),
})
export type RunState = z.infer<typeof runStateSchema>

/** What a drop said about a change of a tool. */
export const itemChangeSchema = z.object({ on: z.iso.date(), title: z.string(), path: z.string() })
export type ItemChange = z.infer<typeof itemChangeSchema>
