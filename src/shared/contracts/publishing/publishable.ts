import { z } from 'zod'
import { type ContentProblem, checkGuide, checkIssue, checkPack, checkTool } from '#shared/domain/check-content.ts'
import { maxPreviewLength } from '#shared/domain/derive-issue.ts'
import { imagesIn, parseImageAddress } from '#shared/domain/markdown-images.ts'
import { verticals } from '#shared/domain/verticals.ts'
import {
  type DocumentKind,
  guideDraftSchema,
  type IssueDraft,
  issueDraftSchema,
  issueSectionDraftSchema,
  promptDraftSchema,
  promptPackDraftSchema,
  toolDraftSchema,
} from './documents.ts'

/* What a document needs before it can be published. The editor lists the problems, and the server enforces the same rules. */

const text = (what: string) => z.string().trim().min(1, `${what} is missing`)
const some = <Item extends z.ZodType>(list: z.ZodArray<Item>, what: string) => list.min(1, `${what} is missing`)

/** Images must be uploaded here, so that pages and emails load nothing from other servers, and have alt text. */
const markdown = (value: z.ZodString) =>
  value.superRefine((source, context) => {
    for (const { alt, address } of imagesIn(source)) {
      if (!parseImageAddress(address)) {
        context.addIssue(`The image ${address || '(without a URL)'} isn’t one of your uploads`)
      } else if (!alt) context.addIssue('An image has no alt text')
    }
  })

const level = (what: string) => z.string({ error: `${what} has no AI level` })

const filledLines = z.array(z.string().trim().min(1, 'A line is empty'))
const isMinutes = (minutes: number) => Number.isInteger(minutes) && minutes >= 1 && minutes <= 999
const minutesRange = 'The minutes must be a whole number from 1 to 999'
const ratingRange = 'The rating must be between 0 and 5'

/** PostgreSQL has no year 0. */
const day = (error?: string) =>
  z.iso.date(error).refine((value) => !value.startsWith('0000'), 'The date has no valid year')
const dayOrEmpty = day().or(z.literal('').transform(() => null))

const validity = {
  validUntil: dayOrEmpty,
  changeNote: z.string().trim().max(300, 'The note has more than 300 characters'),
}

const section = issueSectionDraftSchema.extend({
  ...validity,
  heading: z.string().trim(),
  minutes: z.number().refine(isMinutes, minutesRange).nullable(),
  body: markdown(text('The text')),
  examples: z.partialRecord(z.enum(verticals), markdown(text('The example'))),
})

export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** A title and a text are enough; `deriveIssue` fills in the rest. */
const publishableIssue = issueDraftSchema.extend({
  slug: z
    .string()
    .regex(slugPattern, 'The address must be lowercase words joined by hyphens')
    .max(100)
    .or(z.literal('')),
  title: text('The title').max(200, 'The title has more than 200 characters'),
  date: day('The date is missing'),
  preview: z.string().trim().max(maxPreviewLength, `The preview has more than ${maxPreviewLength} characters`),
  intro: markdown(z.string()),
  sections: z.array(section),
  closing: markdown(z.string()),
  worth: markdown(z.string()),
  checkedOn: dayOrEmpty,
})

const publishableExample = z.object({
  vertical: z.enum(verticals, { error: 'The example has no trade' }),
  input: text('The input of the example'),
  answer: text('The answer of the example'),
  mistake: text('The mistake in the example'),
  corrected: text('The corrected answer'),
})

const publishablePack = promptPackDraftSchema.extend({
  title: text('The title'),
  summary: text('The summary'),
  checkedOn: dayOrEmpty,
  prompts: some(
    z.array(
      promptDraftSchema.extend({
        ...validity,
        title: text('The title'),
        when: text('“When to use it”'),
        level: level('The prompt'),
        minutes: z.number().refine(isMinutes, minutesRange).nullable(),
        checks: filledLines,
        body: text('The prompt'),
        example: publishableExample.nullable(),
      }),
    ),
    'A prompt',
  ),
})

const publishableGuide = guideDraftSchema.extend({
  ...validity,
  title: text('The title'),
  description: text('The description'),
  format: text('The format'),
  extent: text('The extent'),
  inside: some(filledLines, '“Inside”'),
  checkedOn: dayOrEmpty,
})

const publishableTool = toolDraftSchema.extend({
  ...validity,
  name: text('The name'),
  category: text('The category'),
  // Optional: null if it isn't rated.
  rating: z
    .number()
    .min(0, ratingRange)
    .max(5, ratingRange)
    .multipleOf(0.1, 'The rating has more than one decimal')
    .nullable(),
  verdict: text('The verdict'),
  description: text('The description'),
  useCase: text('The use case'),
  goodFor: some(filledLines, '“Good for”'),
  watchOut: some(filledLines, '“Watch out”'),
  url: z.url({ protocol: /^https$/, error: 'The address must begin with https://' }),
  // Optional: null if it hasn't been tested.
  testedOn: dayOrEmpty,
  checkedOn: dayOrEmpty,
})

export const publishableSchemas = {
  issue: publishableIssue,
  'prompt-pack': publishablePack,
  guide: publishableGuide,
  tool: publishableTool,
} as const
export type Publishable<Kind extends DocumentKind> = z.infer<(typeof publishableSchemas)[Kind]>

/** A problem of a draft. `path` is the field: "sections.2.heading". Warnings don't prevent publishing. */
export const problemSchema = z.object({
  path: z.string(),
  message: z.string(),
  severity: z.literal('warning').optional(),
})
export type Problem = z.infer<typeof problemSchema>

/** The problems that prevent publishing. */
export const errorsIn = (problems: readonly Problem[]): Problem[] => problems.filter(({ severity }) => !severity)
export const warningsIn = (problems: readonly Problem[]): Problem[] =>
  problems.filter(({ severity }) => severity === 'warning')

/** While a drop is written it may have no date: it gets one when it is published or scheduled. */
const writableSchemas = { ...publishableSchemas, issue: publishableIssue.extend({ date: day().or(z.literal('')) }) }

/** Problems of the text itself. The server also checks blocks, images and files that it references. */
export function problemsOf(kind: DocumentKind, document: unknown): Problem[] {
  const parsed = writableSchemas[kind].safeParse(document)
  const missing = parsed.success ? [] : parsed.error.issues
  return [...missing, ...contentProblems(kind, document)].map(({ path, message, ...rest }) => ({
    path: path.map(String).join('.'),
    message,
    ...('severity' in rest && rest.severity && { severity: rest.severity }),
  }))
}

type FieldProblem = { path: PropertyKey[]; message: string; severity?: 'warning' }

/** Problems of the texts, as of files in content/. */
function contentProblems(kind: DocumentKind, document: unknown): FieldProblem[] {
  switch (kind) {
    case 'issue': {
      const issue = issueDraftSchema.safeParse(document).data
      return issue ? [...checkHasText(issue), ...checkIssue(issue).map(withLine)] : []
    }
    case 'prompt-pack': {
      const pack = promptPackDraftSchema.safeParse(document).data
      return pack ? checkPack(pack).map(withLine) : []
    }
    case 'guide': {
      const guide = guideDraftSchema.safeParse(document).data
      return guide ? checkGuide([], guide).map(withLine) : []
    }
    case 'tool': {
      const tool = toolDraftSchema.safeParse(document).data
      return tool ? checkTool([], tool).map(withLine) : []
    }
  }
}

/** A drop can be one text, an opening with sections, or both. Only the first section may have no heading. */
function checkHasText({ intro, sections }: IssueDraft): { path: PropertyKey[]; message: string }[] {
  const isEmpty = sections.length === 0 && intro.trim() === ''
  return [
    ...(isEmpty ? [{ path: ['sections', 0, 'body'], message: 'The text is missing' }] : []),
    ...sections.flatMap((section, index) =>
      section.heading.trim() === '' && (index > 0 || section.partOfLead)
        ? [{ path: ['sections', index, 'heading'], message: 'The heading is missing' }]
        : [],
    ),
  ]
}

const withLine = ({ path, line, message, isRequired }: ContentProblem): FieldProblem => ({
  path,
  message: line === 1 ? message : `Line ${line}: ${message}`,
  ...(!isRequired && { severity: 'warning' as const }),
})
