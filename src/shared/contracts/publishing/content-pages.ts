import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'

/* Pages of the portal that come from content/ until the publisher edits them. Texts ending in `Html` are rendered on the server from Markdown. */

const checkedOn = z.iso.date()

/** `seeAlso` has ids of other terms. */
const termSchema = z.object({
  id: z.string(),
  term: z.string(),
  definitionHtml: z.string(),
  seeAlso: z.array(z.string()),
})
export type GlossaryTerm = z.infer<typeof termSchema>

export const glossaryCall = defineCall({
  name: 'glossary',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({
    /** Null if it isn't known. */
    checkedOn: checkedOn.nullable(),
    /** In alphabetical order. */
    terms: z.array(termSchema),
  }),
})

/** Lists what never goes into an AI tool, and what AI never decides. */
export const safetyCall = defineCall({
  name: 'safety-rules',
  audience: 'public',
  input: z.object({}),
  output: z.object({
    safety: z.object({
      /** Null for a text that the publisher wrote. */
      checkedOn: checkedOn.nullable(),
      title: z.string(),
      introHtml: z.string(),
      never: z.array(
        z.object({
          id: z.string(),
          rule: z.string(),
          whyHtml: z.string(),
          /** Empty if there is none. */
          exceptionHtml: z.string(),
        }),
      ),
      mayGoInHtml: z.string(),
      decisionsHtml: z.string(),
      incidentsHtml: z.string(),
    }),
  }),
})
export type Safety = z.infer<typeof safetyCall.output>['safety']

const startStepSchema = z.object({
  title: z.string(),
  minutes: z.number().int().positive(),
  html: z.string(),
  /** Where the step is done. */
  link: z.object({ label: z.string(), path: z.string() }),
})

export const startHereCall = defineCall({
  name: 'start-here',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({
    startHere: z.object({
      checkedOn: checkedOn.nullable(),
      introHtml: z.string(),
      win: startStepSchema,
      policy: startStepSchema,
      pilot: startStepSchema,
    }),
  }),
})
export type StartHere = z.infer<typeof startHereCall.output>['startHere']

/** How tools are judged. `key` is a `ToolCriterion`. */
export const methodCall = defineCall({
  name: 'method',
  audience: 'public',
  input: z.object({}),
  output: z.object({
    method: z.object({
      /** Null for a text that the publisher wrote. */
      checkedOn: checkedOn.nullable(),
      title: z.string(),
      html: z.string(),
      criteria: z.array(z.object({ key: z.string(), title: z.string(), html: z.string() })),
    }),
  }),
})
export type Method = z.infer<typeof methodCall.output>['method']
