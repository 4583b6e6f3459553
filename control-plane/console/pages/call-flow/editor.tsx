import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { TextAreaField, TextField } from '../../design/field.tsx';
import { Card, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { Table } from '../../design/table.tsx';
import { UnsavedChanges } from '../../design/unsaved-changes.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { Graph } from '../call-flows/graph.tsx';
import type { FlowGraph } from '../call-flows/graph-layout.ts';
import { addFlow, changeFlow, type Flow, flowQuery, flowsKey } from '../call-flows/queries.ts';
import { useVoiceTexts } from '../calls/texts.ts';
import styles from './editor.module.css';

const example = {
  version: 1,
  language: 'en-GB',
  variables: { name: { default: 'friend' } },
  start: 'hello',
  nodes: {
    hello: { type: 'say', text: 'Hello {{name}}, your order is ready.', next: 'menu' },
    menu: {
      type: 'gather',
      prompt: [{ type: 'say', text: 'Press 1 to hear it again.' }],
      max_digits: 1,
      branches: { '1': 'hello' },
      otherwise: 'bye',
    },
    bye: { type: 'hangup' },
  },
};

const route = getRouteApi('/signed-in/call-flows/$id/edit');

/** Writes a call flow, with its graph beside it. */
export function CallFlowEditorPage() {
  const t = useVoiceTexts();
  return (
    <Page title={t('writeFlow')} lead={t('flowsLead')}>
      <Editor name="" flow={example} save={addFlow} />
    </Page>
  );
}

/** Edits a call flow that is there. */
export function CallFlowChangePage() {
  const t = useVoiceTexts();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(flowQuery(id, undefined));
  return (
    <Page title={t('changeFlowTitle')} lead={t('changeFlowText')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={8} />}
      {data && (
        <Editor
          name={data.name}
          flow={data.flow}
          save={(name, flow) => changeFlow(id, name, flow)}
        />
      )}
    </Page>
  );
}

interface EditorProps {
  /** Name and flow at first. */
  readonly name: string;
  readonly flow: object;
  save(name: string, flow: Flow): Promise<{ readonly id: string }>;
}

function Editor({ name: firstName, flow: firstFlow, save }: EditorProps) {
  const t = useVoiceTexts();
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  const queryClient = useQueryClient();
  const [name, setName] = useState(firstName);
  const [firstText] = useState(() => JSON.stringify(firstFlow, null, 2));
  const [text, setText] = useState(firstText);
  const read = readFlow(text);
  const keep = useMutation({
    mutationFn: () => save(name, read.flow!),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: flowsKey });
      await whileShown(() => navigate({ to: '/call-flows/$id', params: { id } }));
    },
  });
  const places = keep.error instanceof Problem ? Object.entries(keep.error.fields) : [];
  return (
    <>
      <UnsavedChanges isUnsaved={!keep.isPending && (name !== firstName || text !== firstText)} />
      {read.graph && <Graph flow={read.graph} marked={new Set(places.map(([at]) => nodeOf(at)))} />}
      <Card>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (read.flow !== undefined && !keep.isPending) keep.mutate();
          }}
        >
          <TextField
            label={t('name')}
            dir="auto"
            required
            maxLength={100}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <TextAreaField
            label={t('flowText')}
            dir="ltr"
            rows={20}
            spellCheck={false}
            required
            value={text}
            problem={read.problem}
            onChange={({ target }) => setText(target.value)}
          />
          {places.length > 0 && (
            <Table
              label={t('diagnostics')}
              rows={places}
              keyOf={([at]) => at}
              columns={[
                { name: 'at', title: t('place'), cell: ([at]) => <code dir="ltr">{at}</code> },
                { name: 'says', title: t('says'), cell: ([, said]) => said.join(' ') },
              ]}
            />
          )}
          {keep.error && <ProblemNote error={keep.error} />}
          <div>
            <Button type="submit" kind="main" isBusy={keep.isPending}>
              {t('keep')}
            </Button>
          </div>
        </form>
      </Card>
    </>
  );
}

/** The node in `flow.nodes.menu.branches.1`. */
const nodeOf = (place: string) => /nodes\.([^.]+)/.exec(place)?.[1] ?? '';

interface Read {
  readonly flow?: Flow;
  /** As far as it can be drawn. */
  readonly graph?: FlowGraph;
  readonly problem?: string | undefined;
}

function readFlow(text: string): Read {
  try {
    const flow = JSON.parse(text) as Flow;
    const nodes: unknown = (flow as Partial<Flow> | null)?.nodes;
    const isGraph =
      typeof nodes === 'object' &&
      nodes !== null &&
      Object.values(nodes).every((each) => typeof each === 'object' && each !== null);
    return isGraph ? { flow, graph: flow as unknown as FlowGraph } : { flow };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
