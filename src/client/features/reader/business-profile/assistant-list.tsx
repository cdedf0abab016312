import { announce } from '#client/ui/announce.ts'
import { Button } from '#client/ui/button.tsx'
import { copyToClipboard } from '#client/ui/copy-to-clipboard.ts'
import { assistants, claudeAppLink, openLink } from './assistants.ts'

type AssistantListProps = {
  /** The filled-in prompt. */
  text: string
  /** Asks first if the prompt's label requires it. */
  guard: (run: () => void) => void
  onCopied: () => void
}

/** Opens a filled-in prompt in an assistant. */
export default function AssistantList({ text, guard, onCopied }: AssistantListProps) {
  const handleOpen = (name: string, start: string) =>
    guard(async () => {
      const copied = await copyToClipboard(text)
      announce(copied ? `Copied. Paste it in ${name}.` : 'Your browser blocked copying. Copy the text by hand.')
      onCopied()
      openLink(start)
    })

  const app = claudeAppLink(text)
  return (
    <>
      <p className="text-muted">We copy the prompt and open a new chat, where you paste it.</p>
      <p className="mt-2 flex flex-wrap gap-2">
        {assistants.map(({ name, start }) => (
          <Button key={name} variant="secondary" size="sm" onClick={() => handleOpen(name, start)}>
            {name}
          </Button>
        ))}
      </p>
      {app && (
        <p className="mt-3 flex flex-wrap items-center gap-x-2 [@media(pointer:coarse)]:hidden">
          <span className="text-muted">In Claude’s app for Mac or Windows, the prompt is already filled in:</span>
          <Button variant="quiet" size="sm" className="-ml-3" onClick={() => guard(() => openLink(app))}>
            Open the Claude app
          </Button>
        </p>
      )}
    </>
  )
}
