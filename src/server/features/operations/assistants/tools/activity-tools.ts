import { z } from 'zod'
import { assignCall, checkOffCall, teamAssignmentsCall } from '#shared/contracts/reader/assignments.ts'
import { businessProfileCall } from '#shared/contracts/reader/business-profile.ts'
import { answerQuestionCall, maxAnswerLength } from '#shared/contracts/reader/feedback.ts'
import { franchisorRulesCall } from '#shared/contracts/reader/franchisor-rules.ts'
import { saveItemCall } from '#shared/contracts/reader/saved.ts'
import { maxNoteLength, recordTryCall } from '#shared/contracts/reader/tries.ts'
import { maxAssignmentNote } from '#shared/domain/assignments.ts'
import { ruleLabels, ruleTopicTexts } from '#shared/domain/rule-texts.ts'
import { maxMinutesPerWeek, tryOutcomes } from '#shared/domain/try-outcomes.ts'
import { AppError } from '#shared/errors.ts'
import { type Assistant, asReaderText, defineTool, findItem, idOf, itemId, refOf } from '../assistant.ts'
import { rulingOf } from '../prompts.ts'
import { touchesOf } from '../read-item.ts'

const now = ({ deps }: Assistant) => deps.clock().toISOString()

const myBusiness = defineTool({
  name: 'my_business',
  title: 'My business and stores',
  description:
    'Reads the person’s business profile and stores, which fill in prompts. Private: use it for this person only.',
  right: 'business:read',
  input: z.object({}),
  output: z.object({
    profile: z.record(z.string(), z.string()),
    stores: z.array(z.object({ name: z.string(), values: z.record(z.string(), z.string()), isMine: z.boolean() })),
    url: z.string(),
  }),
  async run(_input, { call, link }) {
    const { values, locations } = await call(businessProfileCall, {})
    return {
      profile: values,
      stores: locations.map(({ name, values: known, mine }) => ({ name, values: known, isMine: mine })),
      url: link('/account/business'),
    }
  },
})

const franchisorRules = defineTool({
  name: 'franchisor_rules',
  title: 'My franchisor’s rules',
  description:
    'Reads what the person recorded about their franchisor’s rules, and, with an id, what they mean for that item. Check it before you suggest to use an item.',
  right: 'business:read',
  input: z.object({ id: itemId.nullish() }),
  output: z.object({
    rules: z.array(z.object({ topic: z.string(), rule: z.string(), note: z.string(), saidOn: z.string().nullable() })),
    forItem: z.string().nullable().describe('Null without an id, empty if no rule touches the item'),
  }),
  async run({ id }, assistant) {
    const { rules } = await assistant.call(franchisorRulesCall, {})
    const ref = id ? refOf(id) : null
    return {
      rules: rules.map(({ topic, rule, note, saidOn }) => ({
        topic: ruleTopicTexts[topic].label,
        rule: ruleLabels[rule],
        note: note && asReaderText(note),
        saidOn,
      })),
      forItem: ref && (await rulingOf(assistant, ref.kind, await touchesOf(assistant, ref))),
    }
  },
})

const saveItem = defineTool({
  name: 'save_item',
  title: 'Save an item',
  description: 'Saves an item for later, or takes it out of what is saved.',
  right: 'activity:write',
  changes: 'replaces',
  input: z.object({ id: itemId, saved: z.boolean().default(true) }),
  output: z.object({ saved: z.boolean() }),
  async run({ id, saved }, assistant) {
    const ref = { ...refOf(id), id: (await findItem(assistant, refOf(id))).id }
    return { saved: (await assistant.call(saveItemCall, { ...ref, saved, at: now(assistant) })).saved }
  },
})

const markTried = defineTool({
  name: 'mark_tried',
  title: 'Record how it went',
  description:
    'Records that the person tried a section or prompt, how it went and the minutes it saves in a week. It replaces their earlier answer. Ask them; never guess the outcome.',
  right: 'activity:write',
  changes: 'replaces',
  input: z.object({
    id: itemId,
    outcome: z.enum(tryOutcomes),
    minutesPerWeek: z.int().min(0).max(maxMinutesPerWeek).nullable().default(null),
    note: z.string().max(maxNoteLength).default('').describe('In the person’s own words'),
    shareNote: z.boolean().default(false).describe('True only if the person wants the publisher to read the note'),
  }),
  output: z.object({ recorded: z.boolean() }),
  async run({ id, shareNote, ...answer }, assistant) {
    const { kind, id: item } = refOf(id)
    if (kind !== 'section' && kind !== 'prompt')
      throw new AppError('validation_failed', { message: 'Sections and prompts can be tried. Use the id of one.' })
    await assistant.call(recordTryCall, { kind, id: item, ...answer, shared: shareNote, at: now(assistant) })
    return { recorded: true }
  },
})

const answerQuestion = defineTool({
  name: 'answer_question',
  title: 'Answer the question of a drop',
  description: 'Sends the person’s answer to the closing question of a drop to the publisher. Use their own words.',
  right: 'activity:write',
  changes: 'adds',
  input: z.object({ id: itemId.describe('Id of the drop'), text: z.string().min(1).max(maxAnswerLength) }),
  output: z.object({ sent: z.boolean() }),
  async run({ id, text }, assistant) {
    const ref = refOf(id)
    if (ref.kind !== 'issue') throw new AppError('validation_failed', { message: 'Use the id of a drop' })
    await assistant.call(answerQuestionCall, { issueId: (await findItem(assistant, ref)).id, text })
    return { sent: true }
  },
})

const myAssignments = defineTool({
  name: 'my_assignments',
  title: 'Assignments of my team',
  description:
    'Lists assignments that the person got or made, open ones first, with the people and stores of the team.',
  right: 'assignments:write',
  input: z.object({ openOnly: z.boolean().default(true) }),
  output: z.object({
    assignments: z.array(
      z.object({
        assignmentId: z.string(),
        id: z.string().nullable().describe('Null for a task in the team’s own words'),
        title: z.string(),
        for: z.string(),
        isMine: z.boolean(),
        dueOn: z.string().nullable(),
        note: z.string(),
        isDone: z.boolean(),
        url: z.string().nullable(),
      }),
    ),
    people: z.array(z.string()),
    stores: z.array(z.string()),
    hasTeam: z.boolean(),
  }),
  async run({ openOnly }, { call, link }) {
    const { team } = await call(teamAssignmentsCall, {})
    const assignments = (team?.assignments ?? []).filter(({ done }) => !(openOnly && done)).slice(0, 100)
    return {
      assignments: assignments.map(({ assignmentId, title, toName, isMine, dueOn, note, done, path, kind, id }) => ({
        assignmentId,
        id: kind && id && idOf({ kind, id }),
        title,
        for: toName,
        isMine,
        dueOn,
        note: note && asReaderText(note),
        isDone: done,
        url: path === null ? null : link(path),
      })),
      people: team?.people.map(({ email }) => email) ?? [],
      stores: team?.locations.map(({ name }) => name) ?? [],
      hasTeam: team !== null,
    }
  },
})

const assign = defineTool({
  name: 'assign',
  title: 'Assign an item',
  description:
    'Assigns an item to a person or store of the team, who gets one email. Ask the person before you make an assignment.',
  right: 'assignments:write',
  changes: 'adds',
  input: z.object({
    id: itemId,
    to: z.string().max(320).describe('A person or store, as my_assignments lists them'),
    dueOn: z.iso.date().nullable().default(null),
    note: z.string().max(maxAssignmentNote).default(''),
  }),
  output: z.object({ assignmentId: z.string() }),
  async run({ id, to, dueOn, note }, assistant) {
    const { team } = await assistant.call(teamAssignmentsCall, {})
    const named = to.trim().toLowerCase()
    const person = team?.people.find(({ email }) => email.toLowerCase() === named)
    const store = team?.locations.find(({ name }) => name.toLowerCase() === named)
    if (!team) throw new AppError('no_team')
    if (!person && !store) {
      const known = [...team.people.map(({ email }) => email), ...team.locations.map(({ name }) => name)]
      throw new AppError('validation_failed', { message: `“${to}” isn’t one of: ${known.join(', ')}` })
    }
    const ref = refOf(id)
    const assignmentId = crypto.randomUUID()
    await assistant.call(assignCall, {
      assignmentId,
      item: { ...ref, id: (await findItem(assistant, ref)).id },
      to: person ? { userId: person.userId } : { locationId: store?.id ?? '' },
      dueOn,
      note,
    })
    return { assignmentId }
  },
})

const checkOff = defineTool({
  name: 'check_off',
  title: 'Check off an assignment',
  description: 'Checks off an assignment, or reopens it.',
  right: 'assignments:write',
  changes: 'replaces',
  input: z.object({ assignmentId: z.uuid(), done: z.boolean().default(true) }),
  output: z.object({ done: z.boolean() }),
  async run({ assignmentId, done }, assistant) {
    return { done: (await assistant.call(checkOffCall, { assignmentId, done, at: now(assistant) })).done }
  },
})

export const activityTools = [
  myBusiness,
  franchisorRules,
  saveItem,
  markTried,
  answerQuestion,
  myAssignments,
  assign,
  checkOff,
]
