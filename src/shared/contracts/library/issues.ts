import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { franchiseTopics } from '#shared/domain/content-labels.ts'
import { sectionKinds } from '#shared/domain/section-kinds.ts'
import { verticals } from '#shared/domain/verticals.ts'
import { stateRuleGroupSchema } from './item-notes.ts'

/** An issue as listed under Weekly Drops; `date` is a calendar day, "2026-11-17". */
export const issueSchema = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  date: z.iso.date(),
  preview: z.string(),
  /** Keys of focus areas, as in all of these lists; `optionLabel` has what readers see. */
  tags: z.array(z.string()),
  /** The day its facts were last checked; null if it isn't known. */
  checkedOn: z.iso.date().nullable(),
  readingMinutes: z.number().int().positive(),
  /** Sets of topics that its sections touch; empty if a section touches nothing. */
  touchSets: z.array(z.array(z.enum(franchiseTopics))),
})
export type Issue = z.infer<typeof issueSchema>

/** `number` counts the published issues by date, from 1. */
const listedIssueSchema = issueSchema.extend({ number: z.number().int().positive() })
export type ListedIssue = z.infer<typeof listedIssueSchema>

/** `html` is rendered on the server from Markdown, with HTML escaped. */
export const issueSectionSchema = z.object({
  id: z.string(),
  heading: z.string(),
  summary: z.string(),
  /** Empty if it's for all of them, as are goals and franchise types; null for all levels. */
  focusAreas: z.array(z.string()),
  aiLevel: z.string().nullable(),
  goals: z.array(z.string()),
  franchiseTypes: z.array(z.string()),
  minutes: z.number().int().positive(),
  /** Steps of the lead are adjacent and keep their order for every reader. */
  partOfLead: z.boolean(),
  /** Null for steps of the lead, and if none fits. */
  kind: z.enum(sectionKinds).nullable(),
  /** Matters between franchisee and franchisor that trying it involves. */
  touches: z.array(z.enum(franchiseTopics)),
  html: z.string(),
  /** By trade; empty if the text needs none. */
  examplesHtml: z.partialRecord(z.enum(verticals), z.string()),
})
export type IssueSection = z.infer<typeof issueSectionSchema>

export const weeklyDropsCall = defineCall({
  name: 'weekly-drops',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({ issues: z.array(listedIssueSchema) }),
})

export const weeklyDropCall = defineCall({
  name: 'weekly-drop',
  audience: 'subscriber',
  input: z.object({ slug: z.string().min(1).max(200) }),
  output: z.object({
    issue: issueSchema.extend({
      /** Empty if the text begins with it. */
      preview: z.string(),
      /** The number that the list shows; null in a preview. */
      number: z.number().int().positive().nullable(),
      /** Its worth, with a sum to redo; empty if it has none. The same for the question. */
      worthHtml: z.string(),
      introHtml: z.string(),
      sections: z.array(issueSectionSchema),
      /** Length of its recording; null if it has none. */
      recordingSeconds: z.number().int().nullable().default(null),
      /** Prompts of the packs that the texts link to. */
      prompts: z.array(z.object({ id: z.string(), title: z.string() })),
      closingHtml: z.string(),
      /** The question that readers answer before the next issue; plain text. */
      question: z.string(),
      /** By the editor; plain text, empty if there is none. */
      editorNote: z.string(),
      /** Rules of states on its subjects. */
      rules: z.array(stateRuleGroupSchema).default([]),
    }),
  }),
})
export type FullIssue = z.infer<typeof weeklyDropCall.output>['issue']
