const keys: readonly (readonly [string, string])[] = [
  ['1 – 9', 'choose that candidate'],
  ['Enter', 'accept the first candidate (not while scores are hidden)'],
  ['0', 'none of these'],
  ['n', 'not in the knowledge base'],
  ['x', 'not applicable'],
  ['s, Space', 'leave it for later'],
  ['u', 'undo what you did last'],
  ['← →', 'move without judging'],
  ['/', 'name another item'],
  ['o', 'open the first candidate’s page'],
  ['c', 'comment, kept with the next judgment'],
  ['?', 'this list'],
]

export function KeyHelp() {
  return (
    <details class="keys" data-help>
      <summary>
        Keys <kbd>?</kbd>
      </summary>
      <dl>
        {keys.map(([key, text]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
      <p class="small">They do nothing while you type in a field, or with Ctrl, Alt or ⌘.</p>
    </details>
  )
}
