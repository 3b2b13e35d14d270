import { useQuery } from '@tanstack/react-query'

import { AccountHead } from '#features/account/ui/account-section.tsx'
import { Loaded } from '#features/account/ui/loaded.tsx'

import { vocabularyQuery } from './queries.ts'
import { Replacements } from './replacements.tsx'
import { Terms } from './terms.tsx'

/** The names that recordings have, and the replacements that are made in each. */
export default function VocabularyPage() {
  const query = useQuery(vocabularyQuery)
  return (
    <>
      <AccountHead title="Vocabulary">
        Names and terms that the recognizer should expect, and replacements made in every new
        transcription. Nothing changes in recordings you already have.
      </AccountHead>
      <Loaded query={query} what="your vocabulary">
        {(vocabulary) => (
          <>
            <Terms vocabulary={vocabulary} />
            <Replacements vocabulary={vocabulary} />
          </>
        )}
      </Loaded>
    </>
  )
}
