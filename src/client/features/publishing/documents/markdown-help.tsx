import { Dialog } from '#client/ui/dialog.tsx'
import { markdownTools } from './markdown-toolbar.tsx'

const written = [
  ['Bold', '**words**'],
  ['Italic', '*words*'],
  ['Image', '![Alt text](/media/… "Caption {wide}")'],
  ['Button', '[Book a demo](https://example.com "button")'],
  ['Prompt', '> [!PROMPT]\n> Write to [customer_type].'],
  ['Text to copy', '> [!COPY]\n> Thank you for writing.'],
  ['Callout', '> [!TIP]\n> Text. Also NOTE and WARNING.'],
  ['Video', '[![Alt text](/media/…)](https://example.com "video")'],
  ['First name', '{{first_name|there}}'],
] as const

/** "shift+8" as "Ctrl Shift 8", or "⌘ Shift 8" on a Mac. */
function shownKey(key: string): string {
  const command = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
  const keys = key.split('+').map((each) => each.charAt(0).toUpperCase() + each.slice(1))
  return [command, ...keys].join(' ')
}

export function MarkdownHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Markdown help" onClose={onClose}>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm">
        {markdownTools.map(
          (tool) => 'key' in tool && <Row key={tool.id} name={tool.label} text={shownKey(tool.key)} />,
        )}
        <Row name="Insert something" text="/ in an empty paragraph" />
        <Row name="Indent in a list, next cell of a table" text="Tab" />
        <Row name="Leave a list or table" text="Escape, then Tab" />
        <Row name="Find and replace in the source" text={shownKey('f')} />
      </dl>
      <h3 className="mt-6 font-semibold">Written in the source as</h3>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm">
        {written.map(([name, text]) => (
          <Row key={name} name={name} text={text} isCode />
        ))}
      </dl>
      <p className="mt-4 text-sm text-muted">
        Paste or drop an image to upload it where the cursor is. Text pasted from Word, Google Docs or a web page keeps
        its headings, lists, links and tables.
      </p>
    </Dialog>
  )
}

const Row = ({ name, text, isCode = false }: { name: string; text: string; isCode?: boolean }) => (
  <>
    <dt>{name}</dt>
    <dd
      className={`min-w-0 [overflow-wrap:anywhere] whitespace-pre-wrap text-muted ${isCode ? 'font-mono text-xs' : ''}`}
    >
      {text}
    </dd>
  </>
)
