import { importStrategyValues, importTypeValues } from '~/api/schema'
import { bodySchema, choice, code, nullableText, z } from '~/kit/form/schema'
import type { ImportForm } from './api'

/** The server refuses what is larger only after all of it has arrived. */
export const importSchema = (maxMb: number) =>
  bodySchema<ImportForm>()({
    file: z.pipe(
      z.nullable(z.instanceof(File)).check(
        z.refine((file) => file !== null, 'required'),
        z.refine((file) => !file || file.size <= maxMb * 1024 ** 2, code('fileSize', { max: maxMb })),
      ),
      z.transform((file) => file as File),
    ),
    type: choice(importTypeValues),
    name: nullableText(),
    dry_run: z.boolean(),
    strategy: choice(importStrategyValues),
  })
