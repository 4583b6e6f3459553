import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, ProblemNote } from '../../design/page.tsx';
import { fieldOf, withField, withMeanings } from './mapping-change.ts';
import type { Mapping, ValueMap } from './queries.ts';
import { useConnectorTexts } from './texts.ts';
import { useSaveMapping } from './use-save-mapping.ts';

interface ValueMapsProps {
  readonly mapping: Mapping;
  readonly mayWrite: boolean;
}

/** Columns that must hold codes: how many of their values are, and what the others mean. */
export function ValueMaps({ mapping, mayWrite }: ValueMapsProps) {
  const t = useConnectorTexts();
  if (mapping.value_maps.length === 0) return null;
  return (
    <Card title={t('values')}>
      {mapping.value_maps.map((map) => (
        <div key={`${map.target} ${map.section}.${map.column}`}>
          <p>
            <code>{map.target}</code> · <code>{`${map.section}.${map.column}`}</code>{' '}
            <Badge tone={map.unrecognised.length === 0 ? 'good' : 'warning'}>
              {t('recognised', { count: map.values, recognised: map.recognised })}
            </Badge>
          </p>
          {map.unrecognised.length > 0 && mayWrite && <Meanings mapping={mapping} map={map} />}
          {map.unrecognised.length > 0 && !mayWrite && (
            <p>
              {map.unrecognised.map((value) => (
                <code key={value}>{value} </code>
              ))}
            </p>
          )}
        </div>
      ))}
    </Card>
  );
}

function Meanings({ mapping, map }: { mapping: Mapping; map: ValueMap }) {
  const t = useConnectorTexts();
  const save = useSaveMapping();
  const [codes, setCodes] = useState<Readonly<Record<string, string>>>({});
  const change = useMutation({
    mutationFn: async () => {
      const field = fieldOf(mapping, map);
      const said = Object.entries(codes).filter(([, code]) => code.trim() !== '');
      if (field === undefined || said.length === 0) return;
      const meanings = Object.fromEntries(said.map(([value, code]) => [value, code.trim()]));
      await save(mapping.version, withField(mapping, map.target, withMeanings(field, meanings)));
    },
  });
  return (
    <Form onSubmit={() => change.mutate()}>
      {map.unrecognised.map((value) => (
        <TextField
          key={value}
          label={<bdi>{t('meaningOf', { value })}</bdi>}
          hint={t(codeHints[map.list])}
          dir="ltr"
          autoCapitalize="characters"
          maxLength={20}
          value={codes[value] ?? ''}
          onChange={({ target }) => setCodes({ ...codes, [value]: target.value })}
        />
      ))}
      {change.error && <ProblemNote error={change.error} />}
      <Button type="submit" isBusy={change.isPending}>
        {t('save')}
      </Button>
    </Form>
  );
}

const codeHints = {
  countries: 'codeCountry',
  currencies: 'codeCurrency',
  units: 'codeUnit',
  'tax categories': 'codeTax',
} as const;
