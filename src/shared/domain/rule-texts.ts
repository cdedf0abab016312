import type { ContentKind } from './content-items.ts'
import type { FranchisorRule, RuleTopic, Ruling } from './franchisor-rules.ts'

export const ruleLabels: Record<FranchisorRule, string> = {
  'not-regulated': 'Not regulated',
  unknown: 'Don’t know',
  'ask-first': 'Ask first',
  forbidden: 'Forbidden',
}

type TopicTexts = {
  label: string
  /** The topic of the rule. */
  about: string
  /** The question for the franchisor. */
  question: string
}

export const ruleTopicTexts: Record<RuleTopic, TopicTexts> = {
  'allowed-tools': {
    label: 'AI tools',
    about: 'Using an AI tool that the brand hasn’t chosen.',
    question: 'Which AI tool and plan may we use for it?',
  },
  'customer-data': {
    label: 'Customer data',
    about: 'Using customers’ contact details or records outside the brand’s systems.',
    question: 'May customers’ details be used for it, and from which system?',
  },
  'local-ads': {
    label: 'Local ads and posts',
    about: 'Running ads, posts or signs that the brand hasn’t approved.',
    question: 'Does each ad or post need your approval before it runs, and how many working days should we allow?',
  },
  'brand-voice': {
    label: 'Brand voice',
    about: 'Writing to customers in your own words.',
    question: 'Which words must we use, and which must we avoid?',
  },
  manual: {
    label: 'Operations manual',
    about: 'Putting the manual or other confidential material into an AI tool.',
    question: 'May parts of the manual go into that tool, and which parts may not?',
  },
}

/** Advice about a ruling, in one or two sentences. */
export const rulingAdvice: Record<Ruling['rule'], string> = {
  forbidden:
    'You recorded that your franchisor doesn’t allow this. Don’t use it unless you get an exception in writing.',
  'ask-first':
    'You recorded that your franchisor wants to be asked. Send this message and wait for the answer in writing.',
  unknown: 'You haven’t settled this with your franchisor yet. Send this message before you try it.',
}

export type PermissionRequest = {
  /** The name of the newsletter that it is from. */
  publication: string
  kind: ContentKind
  title: string
  /** Its effect, in a sentence or two. */
  purpose: string
  topics: readonly RuleTopic[]
  /** From the business profile; empty if unknown. */
  contact: string
  storeName: string
  ownerName: string
}

const kindNames: Record<ContentKind, string> = {
  issue: 'a how-to',
  section: 'a how-to',
  prompt: 'a prompt',
  guide: 'a guide',
  tool: 'a tool',
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** A message that asks the franchisor for permission. What isn't known is left out. */
export function permissionMessage(request: PermissionRequest): { subject: string; text: string } {
  const [contact, store, owner] = [request.contact, request.storeName, request.ownerName].map(oneLine)
  const title = oneLine(request.title)
  const place = store || 'our location'
  const questions = request.topics.map((topic) => ruleTopicTexts[topic].question)
  const lines = ['May we use it for the purpose above?', ...questions, 'Is there anything we have to change first?']
  return {
    subject: `May we use “${title}” at ${place}?`,
    text: [
      contact ? `Hello ${contact},` : 'Hello,',
      `We would like to use ${kindNames[request.kind]} at ${place}: “${title}”. It is from ${request.publication}, a newsletter that we read.`,
      ...(oneLine(request.purpose) ? [`What it does: ${oneLine(request.purpose)}`] : []),
      'A person reads every result before we use it.',
      `Please answer by email, so that we can show it to our managers:\n${lines.map((line, index) => `${index + 1}. ${line}`).join('\n')}`,
      owner ? `Thank you,\n${owner}` : 'Thank you',
    ].join('\n\n'),
  }
}
