import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { LastChecked } from '#client/ui/last-checked.tsx'
import { Disclosure, Section } from '#client/ui/page-parts.tsx'
import { connectionRights } from '#shared/domain/connection-rights.ts'

type Guide = {
  name: string
  /** Who can do it, as its maker says. */
  needs: string
  steps: readonly [string, string, string]
  source: string
}

const allow = 'Sign in here, choose what it may do, and allow it.'

/** From the makers' own pages, on the day that the page shows. Update both together. */
const checkedOn = '2026-11-29'
const guides: readonly Guide[] = [
  {
    name: 'ChatGPT',
    needs: 'On the web, with Plus, Pro, Business, Enterprise or Education.',
    steps: [
      'Open Settings, Apps, Advanced settings, and turn on Developer mode.',
      'Choose Create app, enter a name and the address, and select OAuth.',
      `${allow} In a chat, choose +, More, Developer mode, and select it.`,
    ],
    source: 'https://developers.openai.com/api/docs/guides/developer-mode',
  },
  {
    name: 'Claude',
    needs: 'With Pro, Max, Team or Enterprise. In Team and Enterprise, an owner adds it first.',
    steps: [
      'Open Customize, Connectors, and choose + to add a custom connector.',
      'Enter a name and the address, and choose Add.',
      `Choose Connect. ${allow}`,
    ],
    source: 'https://support.claude.com/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp',
  },
  {
    name: 'Copilot',
    needs: 'With Microsoft Copilot Studio, for an agent of your company.',
    steps: [
      'Open the Tools page of your agent, and choose Add a tool, New tool, Model Context Protocol.',
      'Enter a name, a description and the address. Select OAuth 2.0 with dynamic discovery.',
      `Create the connection. ${allow}`,
    ],
    source: 'https://learn.microsoft.com/microsoft-copilot-studio/mcp-add-existing-server-to-agent',
  },
  {
    name: 'VS Code',
    needs: 'With GitHub Copilot.',
    steps: [
      'Open the Command Palette and run “MCP: Add Server”. Choose HTTP.',
      'Paste the address, enter a name, and choose Global.',
      `Let VS Code open your browser. ${allow}`,
    ],
    source: 'https://code.visualstudio.com/docs/agent-customization/mcp-servers',
  },
  {
    name: 'Gemini',
    needs:
      'With Gemini CLI and an API key or a license of your company. Google moved personal accounts to Antigravity CLI in June 2026.',
    steps: [
      'In a terminal, run: gemini mcp add --transport http front-counter, followed by the address.',
      'Start gemini and enter: /mcp auth front-counter',
      `Your browser opens. ${allow}`,
    ],
    source: 'https://geminicli.com/docs/tools/mcp-server',
  },
]

const questions = [
  'Which of my prompts fit a two-star review at the Elm Street store?',
  'Fill in the prompt for a week of posts for my second store.',
  'What came out this week, and what in it is for me?',
  'Which prompts am I not allowed to use without asking my franchisor?',
  'Read the guide on opening week and make a checklist for my manager.',
  'What did I save about hiring, and what have I not tried yet?',
  'The review prompt worked and saves me 20 minutes a week. Note that.',
  'What is assigned to my team and overdue?',
  'Assign the section on no-shows to the front desk, due on Friday.',
  'Which tool on your list answers the phone, and what should I watch out for?',
]

/** How to connect the usual assistants, what they can see, and what to ask them. */
export function ConnectAssistants() {
  const address = `${window.location.origin}/mcp`
  if (publication.assistants === 'off') return <p className="mt-6 text-muted">Connecting assistants is turned off.</p>
  return (
    <div className="pt-6 sm:pt-8">
      <Section title="The address" lede="Each assistant asks for it. It opens nothing until you sign in and allow it.">
        <CopyableText text={address} what="the address" />
      </Section>
      <Section title="In three steps">
        {guides.map(({ name, needs, steps, source }) => (
          <Disclosure key={name} summary={name} className="border-b border-line pb-1">
            <p className="text-muted">{needs}</p>
            <ol className="mt-2 mb-3 grid list-decimal gap-1 pl-6">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <p className="mb-3 text-sm">
              <a className="text-link" href={source} rel="noopener noreferrer" target="_blank">
                {name}’s own instructions
              </a>
            </p>
          </Disclosure>
        ))}
        <div className="mt-4">
          <LastChecked on={checkedOn} />
        </div>
      </Section>
      <Section
        title="What it can see and do"
        lede="You choose each of these when you connect it, and can end it at any time."
      >
        <ul className="grid list-disc gap-1 pl-6">
          {connectionRights.flatMap(({ right, label, roles }) => (roles ? [] : <li key={right}>{label}</li>))}
        </ul>
        <p className="mt-3 max-w-[65ch] text-muted">
          It reads what your plan includes, and only what is open to everyone once your plan has ended. The company
          behind the assistant receives what it reads for you, as it receives what you type there.
        </p>
        <p className="mt-3">
          <Link to="/account/assistants" className="text-link">
            Your connected assistants
          </Link>
        </p>
      </Section>
      <Section title="Ten things to ask">
        <ul className="grid list-disc gap-1 pl-6">
          {questions.map((question) => (
            <li key={question}>“{question}”</li>
          ))}
        </ul>
      </Section>
    </div>
  )
}
