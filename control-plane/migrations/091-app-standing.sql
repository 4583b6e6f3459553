-- What the network thinks of a number: { "quality": "green", "tier": "TIER_10K", "told_at": … }.
alter table channel_app add column standing jsonb not null default '{}';
