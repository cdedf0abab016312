type ErrorListProps = {
  title: string
  /** Name of the list, if the title isn't one. */
  label?: string
  errors: readonly string[]
}

/** Lists what stops a step, one line for each. */
export const ErrorList = ({ title, label = title, errors }: ErrorListProps) => (
  <div className="border-l-3 border-danger pl-4">
    <p className="font-semibold text-danger">{title}</p>
    <ul aria-label={label} className="mt-1.5 grid gap-1.5 text-sm text-ink">
      {errors.map((words) => (
        <li key={words} className="[overflow-wrap:anywhere]">
          {words}
        </li>
      ))}
    </ul>
  </div>
)
