import { z } from 'zod'
import { aiLevels, focusAreas, franchiseTypes, goals } from '../domain/preferences.ts'
import { defineCall } from './define-call.ts'

/** An issue as listed under Weekly Drops (spec §3); `date` is a calendar day, "2026-11-17". */
export const issueSchema = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  date: z.iso.date(),
  preview: z.string(),
  tags: z.array(z.enum(focusAreas)),
  readingMinutes: z.number().int().positive(),
})
export type Issue = z.infer<typeof issueSchema>

/** `html` is rendered on the server from Markdown, with HTML escaped. */
export const issueSectionSchema = z.object({
  id: z.string(),
  heading: z.string(),
  summary: z.string(),
  focusAreas: z.array(z.enum(focusAreas)),
  aiLevel: z.enum(aiLevels),
  /** Empty if it's for all goals. The same for franchise types. */
  goals: z.array(z.enum(goals)),
  franchiseTypes: z.array(z.enum(franchiseTypes)),
  minutes: z.number().int().positive(),
  html: z.string(),
})
export type IssueSection = z.infer<typeof issueSectionSchema>

export const weeklyDropsCall = defineCall({
  name: 'weekly-drops',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({ issues: z.array(issueSchema) }),
})

export const weeklyDropCall = defineCall({
  name: 'weekly-drop',
  audience: 'subscriber',
  input: z.object({ slug: z.string().min(1).max(200) }),
  output: z.object({
    issue: issueSchema.extend({
      introHtml: z.string(),
      sections: z.array(issueSectionSchema),
      closingHtml: z.string(),
    }),
  }),
})
export type FullIssue = z.infer<typeof weeklyDropCall.output>['issue']
