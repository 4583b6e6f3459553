-- Which key of the control plane a bundle to an agent leads it to: offered once, as long as it is the newest.
alter table agent_bundle add column identity text;
