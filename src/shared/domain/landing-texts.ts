import type { LandingTexts } from '#shared/contracts/library/landing-samples.ts'
import type { SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import type { Publication } from '../publication-defaults.ts'
import { type BillingInterval, perPeriod } from './billing-interval.ts'
import { fieldsIn, fillFields } from './fill-fields.ts'
import { formatList } from './format.ts'
import { inOwnWords, upperFirst } from './own-words.ts'
import { isForTeam, plansOnSale, unlimitedSeats } from './plans.ts'
import { lowestPrice } from './price-texts.ts'

/** Questions that have room on the landing page. One without an answer isn't shown. */
export const questionCount = 8

/** Texts of the landing page by setting, with fields such as `{price}`. Those of the specification are to the letter. */
export const landingTextDefaults = {
  heroTitle: 'Practical AI for the people who open the doors',
  heroText:
    'Every Tuesday, one job in your franchise done better: the steps, the exact words to paste, and how to check the result. What matters to your business comes first.',
  heroNote: 'From {price} a month. Cancel at any time.',
  samplesTitle: 'A sample of each, before you decide',
  dropsTitle: 'Weekly Drops',
  dropsText: 'Practical business tips. One job a week, explained step by step, with a result you can check.',
  promptsTitle: 'Prompt Packs',
  promptsText: 'Copy-and-paste AI instructions.',
  guidesTitle: 'Guides and Templates',
  guidesText: 'Visual guides and editable templates, to print, fill in, and hand to your manager.',
  toolsTitle: 'Tool Picks',
  toolsText: 'Tested AI tools with examples. A clear verdict first, including who each tool isn’t for.',
  plansTitle: 'Choose Your Plan',
  plansText: 'Every plan includes everything:',
  benefits: [
    'Every weekly drop, in the order that fits your business',
    'All {prompts} prompts, ready to copy',
    'Playbooks and templates to download',
    'Tool picks with plain verdicts',
  ].join('\n'),
  questionsTitle: 'Questions and answers',
  question1: 'What do I get, and when?',
  answer1:
    'One drop every Tuesday, by email and in the members’ portal. You also get all prompts, guides, tool picks, and past drops from day one.',
  question2: 'How does it know what matters to my business?',
  answer2:
    'You answer three short questions after signing up: where you want help, how familiar you are with AI, and what you want to achieve. Matching sections come first. You still get everything, and you can change your answers at any time.',
  question3: 'I have never used AI. Is it too early?',
  answer3:
    'No. Every section states its level and how many minutes it takes to try. Most need only a phone or a back-office laptop, and the exact words to paste are included.',
  question4: 'What about my franchisor and my customers’ data?',
  answer4:
    'One list says what never goes into an AI tool: above all customer, employee and payment data. Every drop has a question for your franchisor that is ready to send, so that you ask before you act. None of it is legal advice.',
  question5: 'What does {team} add?',
  answer5:
    'The same library for up to {seats} people, including you, on one bill. Each person signs in with their own email address and sets their own preferences.',
  question6: 'Can I cancel?',
  answer6: 'Yes, at any time, under Manage in the portal. You keep everything you downloaded.',
  question7: '',
  answer7: '',
  question8: '',
  answer8: '',
} as const

export type LandingTextName = keyof typeof landingTextDefaults

/** What there is to show; `promptCount` counts published prompts. */
type Offered = { promptCount: number; guide: unknown; tool: unknown }

/**
 * The texts as visitors read them, with these values of the group `publication`. A sentence about a fact that the plans
 * don't have, such as a price when nothing is on sale, is left out.
 */
export function composeLandingTexts(publication: Publication, stored: SettingValues, offered: Offered): LandingTexts {
  const { promptCount } = offered
  const storedOf = (name: LandingTextName) =>
    stored[`landing.${name}`] ?? inOwnWords(publication, defaultText(publication, name, offered))
  const facts = planFacts(publication)
  const fill = (text: string) =>
    fillFields(truePart(text, facts), {
      publication: publication.name,
      prompts: String(promptCount),
      ...facts.values,
    })
  const textOf = (name: LandingTextName) => fill(storedOf(name))
  const questions = Array.from({ length: questionCount }, (_, index) => ({
    question: textOf(`question${index + 1}` as LandingTextName),
    answer: textOf(`answer${index + 1}` as LandingTextName),
  }))
  const offering = (kind: 'drops' | 'prompts' | 'guides' | 'tools') => ({
    title: textOf(`${kind}Title`),
    text: textOf(`${kind}Text`),
  })
  return {
    hero: { title: textOf('heroTitle'), text: textOf('heroText'), note: textOf('heroNote') },
    samples: {
      title: textOf('samplesTitle'),
      drops: offering('drops'),
      prompts: offering('prompts'),
      guides: offering('guides'),
      tools: offering('tools'),
    },
    plans: {
      title: textOf('plansTitle'),
      text: textOf('plansText'),
      benefits: storedOf('benefits')
        .split('\n')
        .map((line) => fill(promptCount > 1 ? line : withoutCount(line)))
        .filter(Boolean),
    },
    faq: { title: textOf('questionsTitle'), questions: questions.filter((each) => each.question && each.answer) },
  }
}

/** A text that the publisher hasn't changed says nothing of what isn't there. */
function defaultText({ questions }: Publication, name: LandingTextName, { promptCount, guide, tool }: Offered): string {
  const has = { prompts: promptCount > 0, guides: guide !== null, tools: tool !== null }
  const text = landingTextDefaults[name]
  if (name === 'benefits') {
    const [drops, prompts, guides, tools] = text.split('\n')
    return [drops, has.prompts && prompts, has.guides && guides, has.tools && tools].filter(Boolean).join('\n')
  }
  if (name === 'answer1') {
    const library = [
      ...(has.prompts ? ['prompts'] : []),
      ...(has.guides ? ['guides'] : []),
      ...(has.tools ? ['tool picks'] : []),
    ]
    return text.replace('prompts, guides, tool picks, and past drops', formatList([...library, 'past drops']))
  }
  // This answer names the questions.
  return name === 'answer2' && (questions.focusAreas || questions.aiLevel || questions.goals) ? '' : text
}

type PlanFacts = { values: Readonly<Record<string, string>>; every: BillingInterval; hasNoMost: boolean }

/** What texts can say of the plans on sale. A field is missing if no plan has it. */
function planFacts(publication: Publication): PlanFacts {
  const onSale = plansOnSale(publication)
  const lowest = lowestPrice(onSale)
  const team = onSale.find(isForTeam)
  const isUnlimited = team?.seats === unlimitedSeats
  return {
    values: {
      ...(lowest && { price: lowest.priceText }),
      ...(team && { team: team.name, seats: String(isUnlimited ? 1 : team.seats) }),
    },
    every: lowest ?? { interval: 'month' },
    hasNoMost: isUnlimited || team?.perSeat === true,
  }
}

/** Keeps the sentences that are true of the plans: a plan priced per seat or for any number of people has no most. */
const truePart = (text: string, { values, every, hasNoMost }: PlanFacts) =>
  text
    .replaceAll(/\{price\} (a|per) month\b/g, (_, word: string) => `{price} ${perPeriod(every).replace('per', word)}`)
    .replaceAll(/\bup to \{seats\}/gi, (match) =>
      hasNoMost ? inCaseOf(match, values.seats === '1' ? 'any number of' : '{seats} or more') : match,
    )
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => fieldsIn(sentence).every((field) => !isOfPlans(field) || values[field] !== undefined))
    .join(' ')

const inCaseOf = (match: string, text: string) => (match.startsWith('U') ? upperFirst(text) : text)

const isOfPlans = (field: string) => field === 'price' || field === 'team' || field === 'seats'

/** "All {prompts} prompts, ready to copy" becomes "Prompts, ready to copy". */
const withoutCount = (line: string) =>
  line.replace(/(?:^all )?\{prompts\} (\p{L})/iu, (_, letter: string, at: number) =>
    at === 0 ? letter.toUpperCase() : letter,
  )
