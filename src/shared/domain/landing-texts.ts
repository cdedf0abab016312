import type { LandingTexts } from '#shared/contracts/library/landing-samples.ts'
import { type Publication, publicationDefaults } from '../publication-defaults.ts'
import { fillFields } from './fill-fields.ts'
import { maxPlanSeats } from './plan-problem.ts'
import { isForTeam, plansOnSale } from './plans.ts'
import { lowestMonthlyPrice } from './price-texts.ts'

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
export type LandingTextValues = Readonly<Record<LandingTextName, string>>

/** The texts as visitors read them. `promptCount`: published prompts; 0 if unknown. */
export function composeLandingTexts(
  publication: Publication,
  values: LandingTextValues,
  promptCount: number,
): LandingTexts {
  const onSale = plansOnSale(publication)
  const team = onSale.find(isForTeam)
  const fill = (text: string) =>
    fillFields(text, {
      publication: publication.name,
      price: lowestMonthlyPrice(onSale),
      team: team?.name ?? '',
      seats: String(team?.perSeat ? maxPlanSeats : (team?.seats ?? 1)),
      prompts: String(promptCount),
    })
  const questions = Array.from({ length: questionCount }, (_, index) => ({
    question: fill(values[`question${index + 1}` as LandingTextName]),
    answer: fill(values[`answer${index + 1}` as LandingTextName]),
  }))
  return {
    hero: { title: fill(values.heroTitle), text: fill(values.heroText), note: fill(values.heroNote) },
    samples: {
      title: fill(values.samplesTitle),
      drops: { title: fill(values.dropsTitle), text: fill(values.dropsText) },
      prompts: { title: fill(values.promptsTitle), text: fill(values.promptsText) },
      guides: { title: fill(values.guidesTitle), text: fill(values.guidesText) },
      tools: { title: fill(values.toolsTitle), text: fill(values.toolsText) },
    },
    plans: {
      title: fill(values.plansTitle),
      text: fill(values.plansText),
      benefits: values.benefits
        .split('\n')
        .map((line) => fill(promptCount > 1 ? line : withoutCount(line)))
        .filter(Boolean),
    },
    faq: { title: fill(values.questionsTitle), questions: questions.filter((each) => each.question && each.answer) },
  }
}

/** "All {prompts} prompts, ready to copy" becomes "Prompts, ready to copy". */
const withoutCount = (line: string) =>
  line.replace(/(?:^all )?\{prompts\} (\p{L})/iu, (_, letter: string, at: number) =>
    at === 0 ? letter.toUpperCase() : letter,
  )

export const defaultLandingTexts = (promptCount: number): LandingTexts =>
  composeLandingTexts(publicationDefaults, landingTextDefaults, promptCount)
