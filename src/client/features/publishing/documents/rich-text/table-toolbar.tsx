import { Button } from '#client/ui/button.tsx'
import type { TableCommand } from './commands.ts'

const tools: Record<TableCommand, string> = {
  'add-row': 'Add row',
  'add-column': 'Add column',
  'delete-row': 'Delete row',
  'delete-column': 'Delete column',
  'delete-table': 'Delete table',
}

/** Shown while the cursor is in a table. */
export const TableToolbar = ({ label, onTool }: { label: string; onTool: (tool: TableCommand) => void }) => (
  <fieldset aria-label={`Table: ${label}`} className="writing-tools">
    {(Object.keys(tools) as TableCommand[]).map((tool) => (
      <Button
        key={tool}
        variant="quiet"
        size="sm"
        className="shrink-0"
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onTool(tool)}
      >
        {tools[tool]}
      </Button>
    ))}
  </fieldset>
)
